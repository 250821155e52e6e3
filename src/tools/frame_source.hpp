// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TOOLS__FRAME_SOURCE_HPP_
#define TOOLS__FRAME_SOURCE_HPP_

#include <cstdint>
#include <functional>
#include <memory>
#include <opencv2/core/mat.hpp>
#include <optional>
#include <string>

namespace mgproto::tools
{

struct SourceFrame
{
  cv::Mat bgr;        ///< 8-bit BGR, never empty
  std::string label;  ///< what it really shows, e.g. known/Collared_Plover; empty if nobody knows
  std::string name;   ///< which one it is: a path below the source, or a number
};

struct SourceOptions
{
  bool loop = false;  ///< begin anew at the end
  /// Pixels of every frame. 0 = as it is, or in proportion if the other side is given.
  int width = 0;
  int height = 0;
  std::uint64_t seed = 1;  ///< of drawn birds and of shuffling
  bool shuffle = false;    ///< a folder's images in random order, another one each time round
  /// Frames for which each image is looked at, as a camera that is held by hand would: a little nearer and
  /// back, never still. 1 = the image itself.
  int hold = 1;
  /// Told, in one line, what is skipped and why.
  std::function<void(const std::string & line)> log;
};

/// Images one after the other. Not for use by two threads at once.
class FrameSource
{
public:
  virtual ~FrameSource() = default;
  /// Empty at the end. Throws Error if nothing more can be had although it is not the end.
  virtual std::optional<SourceFrame> next() = 0;
  /// Frames per second that the frames were taken at, if they were taken at a rate.
  virtual std::optional<double> native_rate() const { return std::nullopt; }
};

/// Opens what `source` names:
///   birds             drawn birds and strangers without end (a folder of that name is ./birds)
///   0, /dev/video0    a camera
///   a folder          the images below it in the order of their paths; the label is the path of an
///                     image's folder
///   a file            an image or a video
/// Throws FileError if it cannot be opened, ConfigError for an option out of range.
std::unique_ptr<FrameSource> open_source(const std::string & source, const SourceOptions & options);

}  // namespace mgproto::tools

#endif  // TOOLS__FRAME_SOURCE_HPP_
