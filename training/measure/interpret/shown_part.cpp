// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/measure/interpret/shown_part.hpp"

#include <torch/torch.h>

#include <algorithm>
#include <opencv2/core.hpp>

#include "model/evidence.hpp"
#include "training/measure/interpret/observed_image.hpp"

namespace mgproto
{
namespace
{

constexpr double kLargestPart = 0.5;  // of the input's area

ShownPart shown_part(const torch::Tensor & map /*[h, w]*/, std::int64_t prototype, int input_size)
{
  const torch::Tensor values = map.to(torch::kFloat32).contiguous();
  const auto rows = static_cast<int>(map.size(0));
  const auto cols = static_cast<int>(map.size(1));
  const auto * begin = values.data_ptr<float>();
  const auto * highest = std::max_element(begin, begin + values.numel());
  const auto position = static_cast<int>(highest - begin);

  ShownPart part;
  part.prototype = prototype;
  part.likelihood = *highest;
  part.cell = {position % cols, position / cols};
  cv::minMaxLoc(upsampled(map, input_size), nullptr, nullptr, nullptr, &part.maximum);
  const InputGeometry input{input_size, input_size, 1, 1, 0, 0, input_size};  // is its own original
  const Box box = activation_box({begin, begin + values.numel()}, rows, cols, input);
  part.box = {box.x, box.y, box.width, box.height};
  part.is_part = part.box.area() <= kLargestPart * input_size * input_size;
  return part;
}

}  // namespace

std::vector<ShownPart> shown_parts(
  const torch::Tensor & maps, const torch::Tensor & contributions,
  const std::pair<std::int64_t, std::int64_t> & range, int input_size)
{
  const auto [begin, end] = range;
  const torch::Tensor of_class = contributions.slice(0, begin, end);  // [M]
  if (
    !torch::isfinite(of_class).all().item<bool>() ||
    !torch::isfinite(maps.slice(0, begin, end)).all().item<bool>()) {
    return {};
  }
  const torch::Tensor order =
    std::get<1>(of_class.sort(/*stable=*/true, /*dim=*/0, /*descending=*/true));  // [M]
  std::vector<ShownPart> parts;
  for (std::int64_t i = 0; i < std::min(kShownPrototypes, end - begin); ++i) {
    const std::int64_t prototype = begin + order[i].item<std::int64_t>();
    parts.push_back(shown_part(maps[prototype], prototype, input_size));
  }
  return parts;
}

}  // namespace mgproto
