// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "perception/decode.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <opencv2/imgproc.hpp>

#include "mgproto_ros/error.hpp"
#include "model/image_file.hpp"
#include "model/printable.hpp"

namespace mgproto::perception
{
namespace
{

ImageView view(const CameraImage & image, PixelFormat format)
{
  return {image.data, image.width, image.height, image.step, format};
}

ImageView view(const cv::Mat & image)
{
  return {
    image.data, image.cols, image.rows, image.step[0],
    image.channels() == 1 ? PixelFormat::mono : PixelFormat::bgr};
}

/// `rows` of the image's memory from `offset` on.
cv::Mat plane(
  const CameraImage & image, int rows, int cols, int type, std::size_t offset, std::size_t step)
{
  return {rows, cols, type, const_cast<std::uint8_t *>(image.data + offset), step};
}

/// To 8-bit BGR by one of OpenCV's conversions.
void convert(const CameraImage & image, int channels, int code, cv::Mat & buffer)
{
  cv::cvtColor(
    plane(image, image.height, image.width, CV_8UC(channels), 0, image.step), buffer, code);
}

/// The upper byte of each number: what decoders make of a 16-bit PNG, too, so that a model sees live
/// what it saw in training. A sensor that fills only the lower 12 bits comes out dark.
void take_upper_bytes(const CameraImage & image, int channels, cv::Mat & buffer)
{
  buffer.create(image.height, image.width, CV_8UC(channels));
  const std::size_t upper_byte = image.big_endian ? 0 : 1;
  for (int y = 0; y < image.height; ++y) {
    const std::uint8_t * from = image.data + y * image.step + upper_byte;
    std::uint8_t * to = buffer.ptr(y);
    for (int x = 0; x < image.width * channels; ++x) {
      to[x] = from[2 * static_cast<std::size_t>(x)];
    }
  }
}

void convert_mosaic16(const CameraImage & image, int code, cv::Mat & buffer)
{
  cv::Mat mosaic;
  take_upper_bytes(image, 1, mosaic);
  cv::cvtColor(mosaic, buffer, code);
}

/// Brightness, then U and V in turn for two by two pixels.
void convert_two_planes(const CameraImage & image, int code, cv::Mat & buffer)
{
  const int rows = image.height, cols = image.width;
  cv::cvtColorTwoPlane(
    plane(image, rows, cols, CV_8UC1, 0, image.step),
    plane(image, rows / 2, cols / 2, CV_8UC2, rows * image.step, image.step), buffer, code);
}

/// As nv12 of an image in which each pixel is two by two.
void convert_nv24(const CameraImage & image, cv::Mat & buffer)
{
  const int rows = image.height, cols = image.width;
  cv::Mat larger, colours;
  cv::resize(plane(image, rows, cols, CV_8UC1, 0, image.step), larger, {}, 2, 2, cv::INTER_NEAREST);
  cv::cvtColorTwoPlane(
    larger, plane(image, rows, cols, CV_8UC2, rows * image.step, 2 * image.step), colours,
    cv::COLOR_YUV2BGR_NV12);
  cv::resize(colours, buffer, {cols, rows}, 0, 0, cv::INTER_NEAREST);
}

/// Brightness, then U, then V, the latter with half as many columns and rows.
void convert_yuv420(const CameraImage & image, cv::Mat & buffer)
{
  const int rows = image.height, cols = image.width;
  const std::size_t luma = rows * image.step;
  const std::size_t chroma = rows / 2 * (image.step / 2);
  cv::Mat packed(rows * 3 / 2, cols, CV_8UC1);
  plane(image, rows, cols, CV_8UC1, 0, image.step).copyTo(packed.rowRange(0, rows));
  for (const int which : {0, 1}) {
    const cv::Mat colour =
      plane(image, rows / 2, cols / 2, CV_8UC1, luma + which * chroma, image.step / 2);
    colour.copyTo(
      cv::Mat(rows / 2, cols / 2, CV_8UC1, packed.ptr(rows) + which * colour.total(), cols / 2));
  }
  cv::cvtColor(packed, buffer, cv::COLOR_YUV2BGR_I420);
}

/// Bytes of either order, at any address, as this machine's float.
float float_at(const std::uint8_t * bytes, bool big_endian)
{
  std::uint32_t bits = 0;
  for (int i = 0; i < 4; ++i) {
    bits |= std::uint32_t{bytes[i]} << 8 * (big_endian ? 3 - i : i);
  }
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// From the lowest finite value (0) to the highest (255). Infinities are the nearer end of that
/// range; what is not a number, and an image of one value, is 0.
void convert_float32(const CameraImage & image, cv::Mat & buffer)
{
  cv::Mat_<float> values(image.height, image.width);
  double lowest = std::numeric_limits<double>::infinity();
  double highest = -lowest;
  for (int y = 0; y < image.height; ++y) {
    const std::uint8_t * from = image.data + y * image.step;
    for (int x = 0; x < image.width; ++x) {
      const float value = float_at(from + 4 * static_cast<std::size_t>(x), image.big_endian);
      values(y, x) = value;
      if (std::isfinite(value)) {
        lowest = std::min<double>(lowest, value);
        highest = std::max<double>(highest, value);
      }
    }
  }
  const double range = highest - lowest;
  buffer.create(image.height, image.width, CV_8UC1);
  std::transform(values.begin(), values.end(), buffer.begin<std::uint8_t>(), [&](float value) {
    const bool stretchable = range > 0 && !std::isnan(value);
    const double share = stretchable ? std::clamp((value - lowest) / range, 0.0, 1.0) : 0.0;
    return static_cast<std::uint8_t>(std::lround(255 * share));
  });
}

void decompress(const CameraImage & image, cv::Mat & buffer)
{
  if (!encoded_image_size(image.data, image.size)) {
    throw ImageError("the image is no JPEG, PNG or WebP, or is cut short");
  }
  buffer = decode_image(image.data, image.size);
}

ImageView decode_as_encoded(const CameraImage & image, cv::Mat & buffer)
{
  switch (image.encoding) {
    case Encoding::rgb8:
      return view(image, PixelFormat::rgb);
    case Encoding::bgr8:
      return view(image, PixelFormat::bgr);
    case Encoding::mono8:
      return view(image, PixelFormat::mono);
    case Encoding::rgba8:
      convert(image, 4, cv::COLOR_RGBA2BGR, buffer);
      break;
    case Encoding::bgra8:
      convert(image, 4, cv::COLOR_BGRA2BGR, buffer);
      break;
    case Encoding::bayer_rggb8:
      convert(image, 1, cv::COLOR_BayerRGGB2BGR, buffer);
      break;
    case Encoding::bayer_bggr8:
      convert(image, 1, cv::COLOR_BayerBGGR2BGR, buffer);
      break;
    case Encoding::bayer_gbrg8:
      convert(image, 1, cv::COLOR_BayerGBRG2BGR, buffer);
      break;
    case Encoding::bayer_grbg8:
      convert(image, 1, cv::COLOR_BayerGRBG2BGR, buffer);
      break;
    case Encoding::yuv422_uyvy:
      convert(image, 2, cv::COLOR_YUV2BGR_UYVY, buffer);
      break;
    case Encoding::yuv422_yuy2:
      convert(image, 2, cv::COLOR_YUV2BGR_YUY2, buffer);
      break;
    case Encoding::mono16:
      take_upper_bytes(image, 1, buffer);
      break;
    case Encoding::bgr16:
      take_upper_bytes(image, 3, buffer);
      break;
    case Encoding::rgb16: {
      take_upper_bytes(image, 3, buffer);
      ImageView rgb = view(buffer);
      rgb.format = PixelFormat::rgb;
      return rgb;
    }
    case Encoding::bayer_rggb16:
      convert_mosaic16(image, cv::COLOR_BayerRGGB2BGR, buffer);
      break;
    case Encoding::bayer_bggr16:
      convert_mosaic16(image, cv::COLOR_BayerBGGR2BGR, buffer);
      break;
    case Encoding::bayer_gbrg16:
      convert_mosaic16(image, cv::COLOR_BayerGBRG2BGR, buffer);
      break;
    case Encoding::bayer_grbg16:
      convert_mosaic16(image, cv::COLOR_BayerGRBG2BGR, buffer);
      break;
    case Encoding::nv12:
      convert_two_planes(image, cv::COLOR_YUV2BGR_NV12, buffer);
      break;
    case Encoding::nv21:
      convert_two_planes(image, cv::COLOR_YUV2BGR_NV21, buffer);
      break;
    case Encoding::nv24:
      convert_nv24(image, buffer);
      break;
    case Encoding::yuv420:
      convert_yuv420(image, buffer);
      break;
    case Encoding::float32:
      convert_float32(image, buffer);
      break;
    case Encoding::compressed:
      decompress(image, buffer);
      break;
  }
  return view(buffer);
}

}  // namespace

ImageView decode(const CameraImage & image, cv::Mat & buffer)
{
  try {
    return decode_as_encoded(image, buffer);
  } catch (const cv::Exception & error) {
    throw ImageError("the image cannot be converted: " + printable(error.err));
  }
}

cv::Mat bgr_copy(const ImageView & image)
{
  const cv::Mat source(
    image.height, image.width, CV_8UC(channels(image.format)),
    const_cast<std::uint8_t *>(image.data), image.step);
  cv::Mat canvas;
  switch (image.format) {
    case PixelFormat::bgr:
      source.copyTo(canvas);
      break;
    case PixelFormat::rgb:
      cv::cvtColor(source, canvas, cv::COLOR_RGB2BGR);
      break;
    case PixelFormat::mono:
      cv::cvtColor(source, canvas, cv::COLOR_GRAY2BGR);
      break;
  }
  return canvas;
}

}  // namespace mgproto::perception
