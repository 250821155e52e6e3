// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/evidence.hpp"

#include <opencv2/imgproc.hpp>

#include "model/quantile.hpp"

namespace mgproto
{
namespace
{

constexpr double kShare = 0.95;

}  // namespace

Box activation_box(
  const std::vector<float> & map, int rows, int cols, const InputGeometry & geometry)
{
  cv::Mat small = cv::Mat(rows, cols, CV_32F, const_cast<float *>(map.data())).clone();
  cv::patchNaNs(small, 0);  // quantile() needs numbers that can be ordered
  cv::Mat large;
  cv::resize(small, large, {geometry.size, geometry.size}, 0, 0, cv::INTER_CUBIC);
  const auto * values = large.ptr<float>();
  const float threshold = quantile(std::vector<float>(values, values + large.total()), kShare);
  const cv::Rect box = cv::boundingRect(large >= threshold);
  return geometry.to_original(box.x, box.y, box.x + box.width, box.y + box.height);
}

}  // namespace mgproto
