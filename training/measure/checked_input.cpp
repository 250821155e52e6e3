// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/measure/checked_input.hpp"

#include <torch/torch.h>

#include <sstream>

#include "mgproto_ros/error.hpp"

namespace mgproto
{
namespace
{

std::string shape_of(const torch::Tensor & tensor)
{
  if (!tensor.defined()) {
    return "nothing";
  }
  std::ostringstream text;
  text << tensor.sizes();
  return text.str();
}

}  // namespace

torch::Tensor checked_matrix(
  const torch::Tensor & tensor, const std::string & name, std::int64_t columns)
{
  const bool right = tensor.defined() && tensor.dim() == 2 && tensor.size(1) > 0 &&
                     (columns == 0 || tensor.size(1) == columns);
  if (!right) {
    throw Error(
      name + ": expected [N, " + (columns > 0 ? std::to_string(columns) : "1 or more") + "], not " +
      shape_of(tensor));
  }
  return tensor.detach().to(torch::kCPU, torch::kFloat64);
}

torch::Tensor checked_rows(
  const torch::Tensor & tensor, const std::string & name, std::int64_t columns)
{
  torch::Tensor matrix = checked_matrix(tensor, name, columns);
  if (matrix.size(0) == 0) {
    throw Error(name + ": expected at least one row");
  }
  return matrix;
}

torch::Tensor checked_labels(
  const torch::Tensor & labels, std::int64_t images, std::int64_t classes)
{
  const bool right = labels.defined() && labels.dim() == 1 && labels.size(0) == images &&
                     torch::isIntegralType(labels.scalar_type(), /*includeBool=*/false);
  if (!right) {
    throw Error(
      "labels: expected [" + std::to_string(images) + "] integers, not " + shape_of(labels));
  }
  torch::Tensor numbers = labels.to(torch::kCPU, torch::kInt64);
  if (images > 0) {
    const auto lowest = numbers.min().item<std::int64_t>();
    const auto highest = numbers.max().item<std::int64_t>();
    if (lowest < 0 || highest >= classes) {
      throw Error(
        "labels: expected class numbers, not " + std::to_string(lowest < 0 ? lowest : highest));
    }
  }
  return numbers;
}

double checked_share(double share, const std::string & name)
{
  if (!(share >= 0 && share <= 1)) {
    throw ConfigError(name, "must be within 0 and 1");
  }
  return share;
}

}  // namespace mgproto
