// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/measure/interpret/belief.hpp"

#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <utility>

namespace mgproto
{
namespace
{

constexpr int kCellsApart = 2;           // Chebyshev distance, so that the cells do not touch
constexpr double kKeptLikelihood = 0.5;  // at kappa = 1
constexpr double kSoftEdge = 4.0 / 224;  // deviation of the Gaussian, of the input's side

int cells_between(const ShownPart & a, const ShownPart & b)
{
  return std::max(std::abs(a.cell.x - b.cell.x), std::abs(a.cell.y - b.cell.y));
}

double intersection_over_union(const cv::Rect & a, const cv::Rect & b)
{
  const double both = (a & b).area();
  return both / (a.area() + b.area() - both);
}

/// 1 in the box, 0 far from it [size, size].
torch::Tensor soft_window(const cv::Rect & box, int size)
{
  torch::Tensor window = torch::zeros({size, size});
  cv::Mat pixels(size, size, CV_32F, window.data_ptr<float>());
  pixels(box).setTo(1);
  cv::GaussianBlur(pixels, pixels, {}, kSoftEdge * size);
  return window;
}

}  // namespace

void Share::add(bool one_holds)
{
  holds += one_holds ? 1 : 0;
  ++all;
}

std::optional<double> Share::result() const
{
  if (all == 0) {
    return {};
  }
  return static_cast<double>(holds) / static_cast<double>(all);
}

void OnObject::add(const std::vector<ShownPart> & parts, const cv::Mat & object)
{
  const int pixels = cv::countNonZero(object);
  if (parts.empty() || pixels == 0 || pixels == static_cast<int>(object.total())) {
    return;
  }
  for (const ShownPart & part : parts) {
    parts_.add(part.is_part && object.at<std::uint8_t>(part.maximum) != 0);
  }
  centre_.add(object.at<std::uint8_t>(object.rows / 2, object.cols / 2) != 0);
}

void Apart::add(const std::vector<ShownPart> & parts)
{
  if (parts.size() < 2) {
    return;
  }
  bool all_apart = true;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (std::size_t j = i + 1; j < parts.size(); ++j) {
      overlap_ += intersection_over_union(parts[i].box, parts[j].box);
      ++pairs_;
      all_apart = all_apart && cells_between(parts[i], parts[j]) >= kCellsApart;
    }
  }
  images_.add(all_apart);
}

std::optional<ApartScore> Apart::result() const
{
  if (pairs_ == 0) {
    return {};
  }
  return ApartScore{overlap_ / static_cast<double>(pairs_), *images_.result()};
}

BoxRelevance::BoxRelevance(Likelihoods likelihoods, double concentration)
: likelihoods_(std::move(likelihoods)), kept_(std::pow(kKeptLikelihood, concentration))
{
}

void BoxRelevance::add(const torch::Tensor & image, const std::vector<ShownPart> & parts)
{
  if (parts.empty()) {
    return;
  }
  const auto count = static_cast<std::int64_t>(parts.size());
  const torch::Tensor blank =
    image.mean(std::vector<std::int64_t>{1, 2}, /*keepdim=*/true).expand_as(image);
  std::vector<torch::Tensor> boxes_alone, without_boxes;
  std::vector<std::int64_t> prototypes;
  for (const ShownPart & part : parts) {
    const torch::Tensor window = soft_window(part.box, static_cast<int>(image.size(1)));
    boxes_alone.push_back(torch::lerp(blank, image, window));
    without_boxes.push_back(torch::lerp(image, blank, window));
    prototypes.push_back(part.prototype);
  }
  const torch::Tensor images = torch::cat(
    {torch::stack(boxes_alone), torch::stack(without_boxes),
     blank.unsqueeze(0)});  // [2 M + 1, ...]
  const torch::Tensor found =
    likelihoods_(images, torch::tensor(prototypes, torch::kInt64)).to(torch::kFloat64);

  for (std::int64_t m = 0; m < count; ++m) {
    const ShownPart & part = parts[m];
    const double enough = kept_ * part.likelihood;
    const auto box_alone = found[m][m].item<double>();
    const auto without_box = found[count + m][m].item<double>();
    const auto of_blank = found[2 * count][m].item<double>();
    if (std::isfinite(box_alone) && std::isfinite(without_box) && std::isfinite(of_blank)) {
      sufficient_.add(part.is_part && box_alone >= enough && of_blank < enough);
      necessary_.add(part.is_part && without_box < enough);
    }
  }
}

}  // namespace mgproto
