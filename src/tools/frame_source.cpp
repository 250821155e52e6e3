// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/frame_source.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include "mgproto_ros/error.hpp"
#include "tools/source_kinds.hpp"

namespace mgproto::tools
{
namespace
{

namespace fs = std::filesystem;

constexpr int kSmallestDrawing = 16;
constexpr int kLargestDrawing = 4096;
constexpr int kLargestSide = 16384;

/// A large drawing takes longer than the time between two frames.
constexpr std::size_t kDrawnAhead = 8;

/// Frames of another source in the size asked for.
class ResizedSource : public FrameSource
{
public:
  ResizedSource(std::unique_ptr<FrameSource> source, int width, int height)
  : source_(std::move(source)), width_(width), height_(height)
  {
  }

  std::optional<SourceFrame> next() override
  {
    std::optional<SourceFrame> frame = source_->next();
    if (frame) {
      const cv::Size size = size_for(frame->bgr.size());
      if (size != frame->bgr.size()) {
        const bool smaller = size.area() < frame->bgr.size().area();
        cv::Mat resized;
        cv::resize(frame->bgr, resized, size, 0, 0, smaller ? cv::INTER_AREA : cv::INTER_LINEAR);
        frame->bgr = resized;
      }
    }
    return frame;
  }

  std::optional<double> native_rate() const override { return source_->native_rate(); }

private:
  cv::Size size_for(cv::Size size) const
  {
    const auto proportional = [](int side, int from, int to) {
      const double scaled = std::round(static_cast<double>(side) * to / from);
      return static_cast<int>(std::clamp(scaled, 1.0, static_cast<double>(kLargestSide)));
    };
    return {
      width_ > 0 ? width_ : proportional(size.width, size.height, height_),
      height_ > 0 ? height_ : proportional(size.height, size.width, width_)};
  }

  std::unique_ptr<FrameSource> source_;
  int width_, height_;
};

void check_side(const char * key, int value, int smallest, int largest)
{
  if (value != 0 && (value < smallest || value > largest)) {
    throw ConfigError(
      key, "is " + std::to_string(value) + ", expected " + std::to_string(smallest) + " to " +
             std::to_string(largest) + " pixels, or 0");
  }
}

bool is_camera(const std::string & source)
{
  const bool number = !source.empty() && std::all_of(source.begin(), source.end(), [](char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
  });
  return number || source.rfind("/dev/video", 0) == 0;
}

std::unique_ptr<FrameSource> open_taken(const std::string & source, const SourceOptions & options)
{
  if (is_camera(source)) {
    return open_camera(source, options);
  }
  std::error_code ignored;
  if (fs::is_directory(source, ignored)) {
    return open_folder(source, options);
  }
  if (!fs::exists(source, ignored)) {
    throw FileError(
      source,
      "is not there; expected a folder of images, an image, a video, a camera (0 or /dev/video0) "
      "or the word birds");
  }
  return cv::haveImageReader(source) ? open_image(source, options) : open_video(source, options);
}

}  // namespace

std::unique_ptr<FrameSource> open_source(const std::string & source, const SourceOptions & options)
{
  if (source == "birds") {
    check_side("width", options.width, kSmallestDrawing, kLargestDrawing);
    check_side("height", options.height, kSmallestDrawing, kLargestDrawing);
    return read_ahead(draw_birds(options), kDrawnAhead);
  }
  check_side("width", options.width, 1, kLargestSide);
  check_side("height", options.height, 1, kLargestSide);
  std::unique_ptr<FrameSource> taken = open_taken(source, options);
  if (options.hold > 1) {
    taken = hold(std::move(taken), options.hold);
  }
  if (options.width == 0 && options.height == 0) {
    return taken;
  }
  return std::make_unique<ResizedSource>(std::move(taken), options.width, options.height);
}

}  // namespace mgproto::tools
