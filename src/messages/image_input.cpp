// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/image_input.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "model/image_file.hpp"
#include "model/printable.hpp"

namespace mgproto::messages
{
namespace
{

using perception::CameraImage;
using perception::Encoding;
using perception::kMaxSide;

/// Pixels that share colours come in groups, and a group cannot be cut.
struct EncodingRow
{
  std::string_view name;
  Encoding encoding;
  std::uint32_t bytes_per_pixel;
  std::uint32_t group_width = 1;
  std::uint32_t group_height = 1;
  bool depth = false;
  std::uint32_t colour_halves = 0;  ///< size of the colours behind the pixels, in halves of theirs
};

constexpr EncodingRow kEncodings[] = {
  {"rgb8", Encoding::rgb8, 3},
  {"bgr8", Encoding::bgr8, 3},
  {"8UC3", Encoding::bgr8, 3},
  {"rgba8", Encoding::rgba8, 4},
  {"bgra8", Encoding::bgra8, 4},
  {"8UC4", Encoding::bgra8, 4},
  {"rgb16", Encoding::rgb16, 6},
  {"16UC3", Encoding::bgr16, 6},
  {"bgr16", Encoding::bgr16, 6},
  {"mono8", Encoding::mono8, 1},
  {"8UC1", Encoding::mono8, 1},
  {"mono16", Encoding::mono16, 2},
  {"bayer_rggb8", Encoding::bayer_rggb8, 1, 2, 2},
  {"bayer_bggr8", Encoding::bayer_bggr8, 1, 2, 2},
  {"bayer_gbrg8", Encoding::bayer_gbrg8, 1, 2, 2},
  {"bayer_grbg8", Encoding::bayer_grbg8, 1, 2, 2},
  {"bayer_rggb16", Encoding::bayer_rggb16, 2, 2, 2},
  {"bayer_bggr16", Encoding::bayer_bggr16, 2, 2, 2},
  {"bayer_gbrg16", Encoding::bayer_gbrg16, 2, 2, 2},
  {"bayer_grbg16", Encoding::bayer_grbg16, 2, 2, 2},
  {"yuv422", Encoding::yuv422_uyvy, 2, 2},
  {"uyvy", Encoding::yuv422_uyvy, 2, 2},
  {"yuv422_yuy2", Encoding::yuv422_yuy2, 2, 2},
  {"yuyv", Encoding::yuv422_yuy2, 2, 2},
  {"nv12", Encoding::nv12, 1, 2, 2, false, 1},
  {"nv21", Encoding::nv21, 1, 2, 2, false, 1},
  {"nv24", Encoding::nv24, 1, 1, 1, false, 4},
  {"yuv420", Encoding::yuv420, 1, 2, 2, false, 1},
  {"i420", Encoding::yuv420, 1, 2, 2, false, 1},
  {"16UC1", Encoding::mono16, 2, 1, 1, true},
  {"32FC1", Encoding::float32, 4, 1, 1, true},
};

std::string encoding_names()
{
  std::string names;
  for (const EncodingRow & row : kEncodings) {
    if (!row.depth) {
      names += (names.empty() ? "" : ", ") + std::string(row.name);
    }
  }
  return names;
}

std::string quoted(const std::string & text) { return "\"" + printable(text) + "\""; }

[[noreturn]] void refuse_depth(const std::string & what)
{
  throw InvalidMessage(
    "depth", what + " holds depth, expected a picture; set the parameter allow_depth to take it");
}

const EncodingRow * row_of(const std::string & name)
{
  const auto row = std::find_if(
    std::begin(kEncodings), std::end(kEncodings),
    [&](const EncodingRow & candidate) { return candidate.name == name; });
  return row == std::end(kEncodings) ? nullptr : row;
}

const EncodingRow & find_encoding(const std::string & name, const ImageRules & rules)
{
  const EncodingRow * row = row_of(name);
  if (row == nullptr) {
    throw InvalidMessage(
      "encoding",
      "image encoding " + quoted(name) + " is not supported, expected one of " + encoding_names());
  }
  if (row->depth && !rules.allow_depth) {
    refuse_depth("image encoding " + quoted(name));
  }
  return *row;
}

std::string size_text(const sensor_msgs::msg::Image & image)
{
  return std::to_string(image.width) + "x" + std::to_string(image.height);
}

void check_size(const sensor_msgs::msg::Image & image, const EncodingRow & row)
{
  const std::string what = "image of " + size_text(image) + " pixels, expected ";
  // Of a mosaic with fewer pixels OpenCV makes a black picture.
  const std::uint32_t smallest = row.group_height > 1 ? 4 : 1;
  if (image.width < smallest || image.height < smallest) {
    const std::string side = std::to_string(smallest);
    throw InvalidMessage("size", what + "at least " + side + "x" + side);
  }
  if (image.width > kMaxSide || image.height > kMaxSide) {
    throw InvalidMessage("size", what + "at most " + std::to_string(kMaxSide) + " a side");
  }
  if (image.width % row.group_width != 0 || image.height % row.group_height != 0) {
    throw InvalidMessage(
      "size", what + "an even " + (row.group_height > 1 ? "width and height" : "width") + " for " +
                std::string(row.name));
  }
}

/// Of an image whose colours come behind its pixels; without padding, if `step` is its width.
std::uint64_t size_with_colours(
  const sensor_msgs::msg::Image & image, const EncodingRow & row, std::uint64_t step)
{
  return step * image.height * (2 + row.colour_halves) / 2;
}

/// Drivers do not agree on what the step of such an image is; the size of its data leaves no doubt.
bool is_packed(const sensor_msgs::msg::Image & image, const EncodingRow & row)
{
  return row.colour_halves > 0 && image.data.size() == size_with_colours(image, row, image.width);
}

/// A side has at most 17 bits and a pixel 6 bytes, so nothing here leaves 64 bits.
void check_bytes(const sensor_msgs::msg::Image & image, const EncodingRow & row)
{
  if (image.data.empty()) {
    throw InvalidMessage("empty", "image of " + size_text(image) + " pixels without data");
  }
  if (is_packed(image, row)) {
    return;
  }
  const std::uint64_t row_bytes = std::uint64_t{image.width} * row.bytes_per_pixel;
  if (row.encoding == Encoding::yuv420 && image.step % 2 != 0) {
    throw InvalidMessage(
      "step", "image step of " + std::to_string(image.step) + " bytes, expected an even one for " +
                std::string(row.name));
  }
  if (image.step < row_bytes) {
    throw InvalidMessage(
      "step", "image step of " + std::to_string(image.step) + " bytes, expected at least " +
                std::to_string(row_bytes) + " for " + std::to_string(image.width) + " pixels " +
                std::string(row.name));
  }
  const std::uint64_t expected = row.colour_halves > 0
                                   ? size_with_colours(image, row, image.step)
                                   : std::uint64_t{image.step} * (image.height - 1) + row_bytes;
  if (image.data.size() < expected) {
    throw InvalidMessage(
      "data", "image data of " + std::to_string(image.data.size()) + " bytes, expected at least " +
                std::to_string(expected) + " for " + std::to_string(image.height) +
                " rows with a step of " + std::to_string(image.step));
  }
}

bool contains(const std::string & text, std::string_view part)
{
  return text.find(part) != std::string::npos;
}

bool ends_with(const std::string & text, std::string_view end)
{
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// Bytes in front of the PNG of a compressed depth image: how floats were quantised. Integers, the
/// only ones taken here, do not need it.
std::size_t depth_header_size(const std::string & format, const ImageRules & rules)
{
  if (!contains(format, "compressedDepth")) {
    return 0;
  }
  const std::string what = "compressed image of format " + quoted(format);
  if (!rules.allow_depth) {
    refuse_depth(what);
  }
  if (format.rfind("16UC1", 0) != 0 || contains(format, "rvl")) {
    throw InvalidMessage("format", what + " is not supported, expected 16UC1 depth as PNG");
  }
  return 12;
}

}  // namespace

bool is_known_encoding(const std::string & name) { return row_of(name) != nullptr; }

CameraImage view(std::shared_ptr<const sensor_msgs::msg::Image> message, const ImageRules & rules)
{
  if (!message) {
    throw InvalidMessage("empty", "no image message");
  }
  const EncodingRow & row = find_encoding(message->encoding, rules);
  check_size(*message, row);
  check_bytes(*message, row);
  if (message->is_bigendian > 1) {
    throw InvalidMessage(
      "endianness",
      "image is_bigendian is " + std::to_string(message->is_bigendian) + ", expected 0 or 1");
  }
  CameraImage image;
  image.data = message->data.data();
  image.size = message->data.size();
  image.width = static_cast<int>(message->width);
  image.height = static_cast<int>(message->height);
  image.step = is_packed(*message, row) ? message->width : message->step;
  image.encoding = row.encoding;
  image.big_endian = message->is_bigendian != 0;
  image.owner = std::move(message);
  return image;
}

CameraImage view(
  std::shared_ptr<const sensor_msgs::msg::CompressedImage> message, const ImageRules & rules)
{
  if (!message || message->data.empty()) {
    throw InvalidMessage("empty", "compressed image without data");
  }
  const std::string & format = message->format;
  // "bayer_rggb8; png compressed " is the bare mosaic as a grey picture, with "bgr8" at its end it
  // has become a colour picture.
  if (format.rfind("bayer_", 0) == 0 && !ends_with(format, "bgr8") && !ends_with(format, "rgb8")) {
    throw InvalidMessage(
      "format", "compressed image of format " + quoted(format) +
                  " holds a mosaic, expected colours; debayer before compressing");
  }
  const std::size_t skipped = depth_header_size(format, rules);
  const std::size_t size = message->data.size();
  if (size <= skipped || !encoded_image_size(message->data.data() + skipped, size - skipped)) {
    throw InvalidMessage(
      "format", "compressed image of format " + quoted(format) + ", " + std::to_string(size) +
                  " bytes: expected a JPEG, PNG or WebP that is not cut short");
  }
  CameraImage image;
  image.data = message->data.data() + skipped;
  image.size = size - skipped;
  image.encoding = Encoding::compressed;
  image.owner = std::move(message);
  return image;
}

}  // namespace mgproto::messages
