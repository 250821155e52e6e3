// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/measure/interpret/image_measures.hpp"

#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <opencv2/core.hpp>
#include <utility>
#include <vector>

#include "training/measure/interpret/observed_image.hpp"

namespace mgproto
{
namespace
{

constexpr std::int64_t kDeletionSteps = 20;

/// The place of every pixel [H * W] in the order of falling importance, equal ones by position.
torch::Tensor deletion_ranks(const cv::Mat & importance)
{
  cv::Mat values = importance.clone();
  cv::patchNaNs(values, 0);  // to be sorted, numbers must be ordered
  const auto * value = values.ptr<float>();
  std::vector<std::int64_t> order(values.total());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return value[a] > value[b];
  });
  std::vector<std::int64_t> ranks(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    ranks[order[i]] = static_cast<std::int64_t>(i);
  }
  return torch::tensor(ranks, torch::kInt64);
}

}  // namespace

void ObjectImbalance::add(const torch::Tensor & maps, const cv::Mat & mask)
{
  const int object = cv::countNonZero(mask);
  if (object == 0 || object == static_cast<int>(mask.total())) {
    return;
  }
  // Up-sampling is linear, so the prototypes' mean comes first. Bicubic curves swing below 0, where
  // there is no activation.
  const cv::Mat activation = cv::max(upsampled(maps.mean(0), mask.cols), 0);
  outside_ += cv::mean(activation, mask == 0)[0];
  inside_ += cv::mean(activation, mask != 0)[0];
}

std::optional<double> ObjectImbalance::result() const
{
  if (inside_ <= 0) {
    return {};
  }
  return outside_ / inside_;
}

std::array<float, 3> imagenet_mean(const PreprocessingConfig & preprocessing)
{
  const PreprocessingConfig imagenet;
  std::array<float, 3> mean;
  for (int c = 0; c < 3; ++c) {
    mean[c] = (imagenet.mean[c] - preprocessing.mean[c]) / preprocessing.std[c];
  }
  return mean;
}

Dauc::Dauc(Posteriors posteriors, const std::array<float, 3> & fill)
: posteriors_(std::move(posteriors)), fill_(fill)
{
}

void Dauc::add(const torch::Tensor & image, const cv::Mat & importance)
{
  const torch::Tensor ranks = deletion_ranks(importance);
  const torch::Tensor fill = torch::tensor({fill_[0], fill_[1], fill_[2]}).view({3, 1});
  const torch::Tensor pixels = image.flatten(1);  // [3, H * W]
  std::vector<torch::Tensor> steps;
  for (std::int64_t step = 0; step <= kDeletionSteps; ++step) {
    const torch::Tensor deleted = ranks < step * ranks.size(0) / kDeletionSteps;
    steps.push_back(torch::where(deleted, fill, pixels).view(image.sizes()));
  }

  const torch::Tensor posteriors = posteriors_(torch::stack(steps)).to(torch::kFloat64);  // [21, C]
  const std::int64_t predicted = posteriors[0].argmax().item<std::int64_t>();
  const double area =
    torch::trapz(posteriors.select(1, predicted), 1.0 / kDeletionSteps).item<double>();
  if (std::isfinite(area)) {
    sum_ += area;
    ++images_;
  }
}

std::optional<double> Dauc::result() const
{
  if (images_ == 0) {
    return {};
  }
  return sum_ / static_cast<double>(images_);
}

std::optional<double> diversity(const PrototypeHead & head)
{
  const torch::NoGradGuard no_grad;
  double sum = 0;
  int classes = 0;
  for (int c = 0; c < head.classes(); ++c) {
    const auto [begin, end] = head.range_of(c);
    if (end - begin > 1) {
      sum +=
        torch::pdist(head.means.slice(0, begin, end).to(torch::kFloat64)).mean().item<double>();
      ++classes;
    }
  }
  if (classes == 0) {
    return {};
  }
  return sum / classes;
}

}  // namespace mgproto
