// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/measure/interpret/observed_image.hpp"

#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <string>

#include "mgproto_ros/error.hpp"

namespace mgproto
{
namespace
{

constexpr double kPaperSize = 224;  // pixels a side of the input that box sizes are given for

}  // namespace

std::vector<PartLocation> parts_in_input(
  const std::vector<PartLocation> & parts, const InputGeometry & geometry)
{
  std::vector<PartLocation> seen;
  for (const PartLocation & part : parts) {
    const double x = part.x / geometry.scale_x - geometry.left;
    const double y = part.y / geometry.scale_y - geometry.top;
    if (x >= 0 && y >= 0 && x < geometry.size && y < geometry.size) {
      seen.push_back({part.part, x, y});
    }
  }
  return seen;
}

cv::Mat mask_in_input(const cv::Mat & mask, const InputGeometry & geometry)
{
  if (mask.cols != geometry.original_width || mask.rows != geometry.original_height) {
    throw ImageError(
      "mask of " + std::to_string(mask.cols) + "x" + std::to_string(mask.rows) +
      " pixels: expected " + std::to_string(geometry.original_width) + "x" +
      std::to_string(geometry.original_height) + ", the size of its image");
  }
  cv::Mat seen(geometry.size, geometry.size, CV_8U);
  for (int y = 0; y < geometry.size; ++y) {
    // The original pixel under the centre of the input's pixel.
    const int row = static_cast<int>((y + 0.5 + geometry.top) * geometry.scale_y);
    for (int x = 0; x < geometry.size; ++x) {
      const int col = static_cast<int>((x + 0.5 + geometry.left) * geometry.scale_x);
      seen.at<std::uint8_t>(y, x) =
        mask.at<std::uint8_t>(std::min(row, mask.rows - 1), std::min(col, mask.cols - 1));
    }
  }
  return seen;
}

cv::Mat box_in_input(const Box & box, const InputGeometry & geometry)
{
  cv::Mat mask = cv::Mat::zeros(geometry.original_height, geometry.original_width, CV_8U);
  const cv::Rect whole(0, 0, mask.cols, mask.rows);
  mask(cv::Rect(box.x, box.y, box.width, box.height) & whole).setTo(255);
  return mask_in_input(mask, geometry);
}

cv::Mat upsampled(const torch::Tensor & map, int size)
{
  const torch::Tensor values = torch::nan_to_num(map.to(torch::kFloat32), 0).contiguous();
  const cv::Mat small(
    static_cast<int>(map.size(0)), static_cast<int>(map.size(1)), CV_32F, values.data_ptr<float>());
  cv::Mat large;
  cv::resize(small, large, {size, size}, 0, 0, cv::INTER_CUBIC);
  return large;
}

std::set<int> covered_parts(
  const torch::Tensor & map, const ObservedImage & image, double half_size_at_224)
{
  cv::Point maximum;
  cv::minMaxLoc(upsampled(map, image.size), nullptr, nullptr, nullptr, &maximum);
  const double half_size = half_size_at_224 * image.size / kPaperSize;
  std::set<int> covered;
  for (const PartLocation & part : image.parts) {
    if (
      std::abs(part.x - (maximum.x + 0.5)) <= half_size &&
      std::abs(part.y - (maximum.y + 0.5)) <= half_size) {
      covered.insert(part.part);
    }
  }
  return covered;
}

}  // namespace mgproto
