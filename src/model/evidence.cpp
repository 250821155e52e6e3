// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/evidence.hpp"

#include <algorithm>
#include <opencv2/imgproc.hpp>

namespace mgproto
{
namespace
{

constexpr double kShare = 0.95;

/// Linear interpolation between the two nearest ranks, as numpy's percentile.
float percentile(std::vector<float> values, double share)
{
  const double rank = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(rank);
  const auto low = values.begin() + below;
  std::nth_element(values.begin(), low, values.end());
  if (low + 1 == values.end()) {
    return *low;
  }
  const float high = *std::min_element(low + 1, values.end());
  return static_cast<float>(*low + (rank - below) * (high - *low));
}

}  // namespace

Box activation_box(
  const std::vector<float> & map, int rows, int cols, const InputGeometry & geometry)
{
  cv::Mat small = cv::Mat(rows, cols, CV_32F, const_cast<float *>(map.data())).clone();
  cv::patchNaNs(small, 0);  // percentile() needs numbers that can be ordered
  cv::Mat large;
  cv::resize(small, large, {geometry.size, geometry.size}, 0, 0, cv::INTER_CUBIC);
  const auto * values = large.ptr<float>();
  const float threshold = percentile(std::vector<float>(values, values + large.total()), kShare);
  const cv::Rect box = cv::boundingRect(large >= threshold);
  return geometry.to_original(box.x, box.y, box.x + box.width, box.y + box.height);
}

}  // namespace mgproto
