// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <unistd.h>

#include <filesystem>
#include <opencv2/core/utils/logger.hpp>
#include <opencv2/imgproc.hpp>
#include <opencv2/videoio.hpp>

#include "mgproto_ros/error.hpp"
#include "tools/frame_pace.hpp"
#include "tools/source_kinds.hpp"

namespace mgproto::tools
{
namespace
{

/// OpenCV's own warnings about a failure are many lines; ours is one.
class QuietOpenCv
{
public:
  QuietOpenCv() : level_(cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT)) {}
  ~QuietOpenCv() { cv::utils::logging::setLogLevel(level_); }
  QuietOpenCv(const QuietOpenCv &) = delete;
  QuietOpenCv & operator=(const QuietOpenCv &) = delete;

private:
  cv::utils::logging::LogLevel level_;
};

bool read_bgr(cv::VideoCapture & capture, cv::Mat & image)
{
  if (!capture.read(image) || image.empty()) {
    return false;
  }
  if (image.channels() == 1) {
    cv::cvtColor(image, image, cv::COLOR_GRAY2BGR);
  }
  return true;
}

/// The frame rate that the video or camera says it has, unless that is nonsense.
std::optional<double> rate_of(const cv::VideoCapture & capture)
{
  const double rate = capture.get(cv::CAP_PROP_FPS);
  return rate > 0 && rate <= kFastestRate ? std::optional<double>(rate) : std::nullopt;
}

class VideoSource : public FrameSource
{
public:
  VideoSource(const std::string & path, bool loop) : path_(path), loop_(loop)
  {
    open();
    rate_ = rate_of(capture_);
  }

  std::optional<SourceFrame> next() override
  {
    cv::Mat image;  // a new one each time: the last may still be in use
    if (!read_bgr(capture_, image)) {
      if (!loop_ || number_ == 0) {
        return std::nullopt;
      }
      // Not every container can be wound back.
      open();
      if (!read_bgr(capture_, image)) {
        return std::nullopt;
      }
    }
    const std::string name = std::filesystem::path(path_).filename().string();
    return SourceFrame{image, "", name + "/" + std::to_string(number_++)};
  }

  std::optional<double> native_rate() const override { return rate_; }

private:
  void open()
  {
    const QuietOpenCv quiet;
    if (!capture_.open(path_)) {
      throw FileError(path_, "is neither an image nor a video that can be read");
    }
    number_ = 0;
  }

  const std::string path_;
  const bool loop_;
  cv::VideoCapture capture_;
  std::optional<double> rate_;
  std::uint64_t number_ = 0;
};

class CameraSource : public FrameSource
{
public:
  CameraSource(const std::string & device, const SourceOptions & options) : device_(device)
  {
    const QuietOpenCv quiet;
    if (!capture_.open(device_, cv::CAP_V4L2)) {
      throw FileError(
        device_, access(device_.c_str(), R_OK | W_OK) == 0
                   ? "cannot be opened as a camera; does another program use it?"
                   : "may not be opened; is the user in the group video?");
    }
    capture_.set(cv::CAP_PROP_BUFFERSIZE, 1);  // an image that waited is an old image
    if (options.width > 0) {
      capture_.set(cv::CAP_PROP_FRAME_WIDTH, options.width);
    }
    if (options.height > 0) {
      capture_.set(cv::CAP_PROP_FRAME_HEIGHT, options.height);
    }
  }

  std::optional<SourceFrame> next() override
  {
    cv::Mat image;
    if (!read_bgr(capture_, image)) {
      throw FileError(device_, "the camera gives no more images");
    }
    return SourceFrame{image, "", device_ + "/" + std::to_string(number_++)};
  }

  std::optional<double> native_rate() const override { return rate_of(capture_); }

private:
  const std::string device_;
  cv::VideoCapture capture_;
  std::uint64_t number_ = 0;
};

}  // namespace

std::unique_ptr<FrameSource> open_video(const std::string & path, const SourceOptions & options)
{
  return std::make_unique<VideoSource>(path, options.loop);
}

std::unique_ptr<FrameSource> open_camera(const std::string & device, const SourceOptions & options)
{
  const std::string path = device.front() == '/' ? device : "/dev/video" + device;
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    throw FileError(path, "there is no such camera");
  }
  return std::make_unique<CameraSource>(path, options);
}

}  // namespace mgproto::tools
