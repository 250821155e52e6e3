// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/image_file.hpp"

#include <cstring>
#include <limits>
#include <opencv2/imgcodecs.hpp>
#include <string_view>

#include "mgproto_ros/error.hpp"
#include "model/file_io.hpp"
#include "model/jpeg_image.hpp"

namespace mgproto
{
namespace
{

/// Bytes that end where they end, whatever they claim.
struct Bytes
{
  const std::uint8_t * data;
  std::size_t size;

  bool begins_with(std::string_view text, std::size_t at = 0) const
  {
    return at + text.size() <= size && std::memcmp(data + at, text.data(), text.size()) == 0;
  }
  int big_endian(std::size_t at, int count) const
  {
    int value = 0;
    for (int i = 0; i < count; ++i) {
      value = value * 256 + data[at + i];
    }
    return value;
  }
  int little_endian(std::size_t at, int count) const
  {
    int value = 0;
    for (int i = count; i-- > 0;) {
      value = value * 256 + data[at + i];
    }
    return value;
  }
};

bool is_jpeg(const Bytes & bytes) { return bytes.begins_with("\xFF\xD8\xFF"); }

/// In the frame header, which comes before the first scan.
std::optional<cv::Size> jpeg_size(const Bytes & bytes)
{
  std::size_t at = 2;
  while (at + 9 <= bytes.size && bytes.data[at] == 0xFF) {
    const std::uint8_t marker = bytes.data[at + 1];
    if (marker == 0xFF) {
      at += 1;  // fill byte
    } else if (marker == 0x01 || (marker >= 0xD0 && marker <= 0xD7)) {
      at += 2;  // these stand alone
    } else if (marker == 0xDA) {
      break;
    } else if (
      marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC) {
      return cv::Size(bytes.big_endian(at + 7, 2), bytes.big_endian(at + 5, 2));
    } else {
      at += 2 + static_cast<std::size_t>(bytes.big_endian(at + 2, 2));
    }
  }
  return {};
}

std::optional<cv::Size> png_size(const Bytes & bytes)
{
  // No side is longer than 2^31 - 1.
  if (
    !bytes.begins_with("IHDR", 12) || bytes.size < 24 || bytes.data[16] > 127 ||
    bytes.data[20] > 127) {
    return {};
  }
  return cv::Size(bytes.big_endian(16, 4), bytes.big_endian(20, 4));
}

std::optional<cv::Size> webp_size(const Bytes & bytes)
{
  if (bytes.size < 30) {
    return {};
  }
  if (bytes.begins_with("VP8X", 12)) {
    return cv::Size(bytes.little_endian(24, 3) + 1, bytes.little_endian(27, 3) + 1);
  }
  if (bytes.begins_with("VP8L", 12)) {  // 14 bits each
    const int low = bytes.little_endian(21, 2);
    const int high = bytes.little_endian(23, 2);
    return cv::Size((low & 0x3FFF) + 1, ((low >> 14) | ((high & 0xFFF) << 2)) + 1);
  }
  if (bytes.begins_with("VP8 ", 12)) {
    return cv::Size(bytes.little_endian(26, 2) & 0x3FFF, bytes.little_endian(28, 2) & 0x3FFF);
  }
  return {};
}

/// For others OpenCV's readers want a file of their own, which they leave behind.
bool is_known_format(const Bytes & bytes)
{
  const bool is_netpbm =
    bytes.size > 2 && bytes.data[0] == 'P' && bytes.data[1] >= '1' && bytes.data[1] <= '6';
  return is_jpeg(bytes) || is_netpbm || bytes.begins_with("\x89PNG\r\n\x1A\n") ||
         (bytes.begins_with("RIFF") && bytes.begins_with("WEBP", 8)) || bytes.begins_with("BM") ||
         bytes.begins_with(std::string_view("II*\0", 4)) ||
         bytes.begins_with(std::string_view("MM\0*", 4));
}

/// Looks at what the file claims before memory is taken for it.
void refuse_too_large(const std::uint8_t * data, std::size_t size)
{
  constexpr int kMostAcross = 65536;
  // Four times an 8K camera. Some hundred bytes may claim to be that large and cost 400 MB.
  constexpr std::int64_t kMostPixels = std::int64_t{1} << 27;
  const auto claimed = encoded_image_size(data, size);
  if (
    claimed && (claimed->width > kMostAcross || claimed->height > kMostAcross ||
                std::int64_t{claimed->width} * claimed->height > kMostPixels)) {
    throw ImageError(
      "the image claims " + std::to_string(claimed->width) + "x" + std::to_string(claimed->height) +
      " pixels, expected at most " + std::to_string(kMostAcross) + " a side and " +
      std::to_string(kMostPixels) + " in all");
  }
}

}  // namespace

std::optional<cv::Size> encoded_image_size(const std::uint8_t * data, std::size_t size)
{
  const Bytes bytes{data, size};
  if (is_jpeg(bytes)) {
    return jpeg_size(bytes);
  }
  if (bytes.begins_with("\x89PNG\r\n\x1A\n")) {
    return png_size(bytes);
  }
  if (bytes.begins_with("RIFF") && bytes.begins_with("WEBP", 8)) {
    return webp_size(bytes);
  }
  return {};
}

cv::Mat decode_image(const std::uint8_t * data, std::size_t size, int flags)
{
  refuse_too_large(data, size);
  cv::Mat image;
  try {
    if (is_jpeg({data, size})) {
      image = decode_jpeg(data, size, flags == cv::IMREAD_GRAYSCALE);
      const bool bgr_or_grey = flags == cv::IMREAD_COLOR || flags == cv::IMREAD_GRAYSCALE;
      if (bgr_or_grey && image.channels() != 4) {
        return image;
      }
      // CMYK, and what other flags ask for, is decoded again by OpenCV, now known to be whole.
    }
    if (
      is_known_format({data, size}) &&
      size <= static_cast<std::size_t>(std::numeric_limits<int>::max())) {
      const cv::Mat bytes(1, static_cast<int>(size), CV_8U, const_cast<std::uint8_t *>(data));
      image = cv::imdecode(bytes, flags | cv::IMREAD_IGNORE_ORIENTATION);
    }
  } catch (const cv::Exception &) {
    image.release();
  }
  if (image.empty()) {
    throw ImageError("this is not a readable image");
  }
  return image;
}

cv::Mat read_image(const std::string & path, int flags)
{
  const FileBytes file(path);
  try {
    return decode_image(reinterpret_cast<const std::uint8_t *>(file.data()), file.size(), flags);
  } catch (const ImageError & error) {
    throw FileError(path, error.what());
  }
}

void write_image(const std::string & path, const cv::Mat & image)
{
  const auto dot = path.rfind('.');
  const std::string extension = dot == std::string::npos ? "" : path.substr(dot);
  std::vector<unsigned char> bytes;
  bool encoded = false;
  try {
    encoded = !extension.empty() && cv::imencode(extension, image, bytes);
  } catch (const cv::Exception &) {
    // An extension that no encoder has; said below.
  }
  if (!encoded) {
    throw FileError(path, "cannot be encoded: expected a name that ends in .png or .jpg");
  }
  write_atomically(path, {{bytes.data(), bytes.size()}});
}

ImageView view_of(const cv::Mat & image)
{
  return {image.data, image.cols, image.rows, image.step[0], PixelFormat::bgr};
}

}  // namespace mgproto
