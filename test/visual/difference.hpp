// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef VISUAL__DIFFERENCE_HPP_
#define VISUAL__DIFFERENCE_HPP_

#include <gtest/gtest.h>

#include <opencv2/imgproc.hpp>
#include <vector>

namespace mgproto
{

/// The smallest rectangle around all pixels that differ.
inline cv::Rect difference(const cv::Mat & one, const cv::Mat & other)
{
  EXPECT_EQ(one.size(), other.size());
  cv::Mat apart;
  cv::absdiff(one, other, apart);
  std::vector<cv::Mat> channels;
  cv::split(apart, channels);
  return cv::boundingRect(cv::max(channels[0], cv::max(channels[1], channels[2])));
}

}  // namespace mgproto

#endif  // VISUAL__DIFFERENCE_HPP_
