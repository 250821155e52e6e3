// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <utility>

#include "tools/source_kinds.hpp"

namespace mgproto::tools
{
namespace
{

constexpr double kTwoPi = 6.28318530717958647693;
constexpr double kNearest = 0.12;  // share of the image's sides that leaves the view

/// Each frame of another source for a while, by a camera that moves.
class HeldSource : public FrameSource
{
public:
  HeldSource(std::unique_ptr<FrameSource> source, int hold)
  : source_(std::move(source)), hold_(hold)
  {
  }

  std::optional<SourceFrame> next() override
  {
    if (shown_ == 0 || shown_ == hold_) {
      frame_ = source_->next();
      shown_ = 0;
    }
    if (!frame_) {
      return std::nullopt;
    }
    SourceFrame view = *frame_;
    view.bgr = view_at(static_cast<double>(shown_++) / hold_);
    return view;
  }

  std::optional<double> native_rate() const override { return source_->native_rate(); }

private:
  /// Nearer in the middle of its time, and on a loop to the side.
  cv::Mat view_at(double time) const
  {
    const cv::Mat & image = frame_->bgr;
    const double nearer = kNearest * std::sin(kTwoPi / 2 * time);
    const double width = image.cols * (1 - nearer);
    const double height = image.rows * (1 - nearer);
    const double left = (image.cols - width) * (0.5 + 0.5 * std::sin(kTwoPi * time));
    const double top = (image.rows - height) * (0.5 + 0.5 * std::sin(2 * kTwoPi * time));
    const cv::Matx23d to_image(width / image.cols, 0, left, 0, height / image.rows, top);
    cv::Mat view;
    cv::warpAffine(
      image, view, to_image, image.size(), cv::INTER_LINEAR | cv::WARP_INVERSE_MAP,
      cv::BORDER_REPLICATE);
    return view;
  }

  std::unique_ptr<FrameSource> source_;
  const int hold_;
  std::optional<SourceFrame> frame_;
  int shown_ = 0;
};

}  // namespace

std::unique_ptr<FrameSource> hold(std::unique_ptr<FrameSource> source, int frames)
{
  return std::make_unique<HeldSource>(std::move(source), frames);
}

}  // namespace mgproto::tools
