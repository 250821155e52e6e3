// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/measure/interpret/likeness.hpp"

#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <utility>

#include "mgproto_ros/error.hpp"
#include "model/image_file.hpp"
#include "model/preprocessing.hpp"

namespace mgproto
{
namespace
{

constexpr int kComparedSide = 64;            // pixels a side that patches are compared at
constexpr std::int64_t kPatchesAtOnce = 64;  // so that many prototypes need little memory

/// What a prototype stands for, of a stored patch that shows a little around it, too.
cv::Mat without_context(const cv::Mat & patch, const Box & box)
{
  const cv::Rect inside =
    cv::Rect(box.x, box.y, box.width, box.height) & cv::Rect({0, 0}, patch.size());
  return inside.empty() ? patch : patch(inside);
}

/// The box of a normalised image [3, H, W] as [3, side, side].
torch::Tensor patch_of(const torch::Tensor & image, const cv::Rect & box)
{
  const torch::Tensor pixels = image.contiguous();
  torch::Tensor patch = torch::empty({3, kComparedSide, kComparedSide});
  for (int c = 0; c < 3; ++c) {
    const cv::Mat plane(
      static_cast<int>(image.size(1)), static_cast<int>(image.size(2)), CV_32F,
      pixels[c].data_ptr<float>());
    cv::Mat resized(kComparedSide, kComparedSide, CV_32F, patch[c].data_ptr<float>());
    cv::resize(plane(box), resized, resized.size(), 0, 0, cv::INTER_AREA);
  }
  return patch;
}

/// A box of that size around a point of the object, or of the image, moved into the image.
cv::Rect box_at_random(const cv::Size & size, const OtherImage & image, Random & random)
{
  const auto rows = static_cast<int>(image.pixels.size(1));
  const auto cols = static_cast<int>(image.pixels.size(2));
  std::vector<cv::Point> places;
  if (!image.object.empty()) {
    cv::findNonZero(image.object, places);
  }
  cv::Point centre;
  if (places.empty()) {
    centre.x = random.index(cols);
    centre.y = random.index(rows);
  } else {
    centre = places[random.index(static_cast<int>(places.size()))];
  }
  const int width = std::min(size.width, cols);
  const int height = std::min(size.height, rows);
  return {
    std::clamp(centre.x - width / 2, 0, cols - width),
    std::clamp(centre.y - height / 2, 0, rows - height), width, height};
}

}  // namespace

Likeness::Likeness(
  EarlyMaps early_maps, const std::vector<std::optional<Provenance>> & prototypes,
  const PreprocessingConfig & preprocessing)
: early_maps_(std::move(early_maps)), row_of_(prototypes.size(), -1), image_of_(prototypes.size())
{
  const torch::NoGradGuard no_grad;
  PreprocessingConfig to_compared_side = preprocessing;
  to_compared_side.mode = PreprocessingConfig::Mode::resize;
  to_compared_side.size = kComparedSide;
  Preprocessor preprocessor(to_compared_side);
  std::vector<torch::Tensor> patches;
  for (std::size_t k = 0; k < prototypes.size(); ++k) {
    if (!prototypes[k] || prototypes[k]->patch.empty()) {
      continue;
    }
    try {
      const std::vector<std::uint8_t> & jpeg = prototypes[k]->patch;
      const cv::Mat image =
        without_context(decode_image(jpeg.data(), jpeg.size()), prototypes[k]->in_patch);
      const torch::Tensor patch = torch::empty({3, kComparedSide, kComparedSide});
      preprocessor(view_of(image), patch.data_ptr<float>());
      patches.push_back(patch);
    } catch (const ImageError &) {
      continue;
    }
    row_of_[k] = static_cast<std::int64_t>(patches.size()) - 1;
    image_of_[k] = prototypes[k]->image;
  }
  if (patches.empty()) {
    return;
  }
  const torch::Tensor described = describe(torch::stack(patches));
  if (described.defined() && torch::isfinite(described).all().item<bool>()) {
    mean_ = described.mean(0);
    descriptions_ = described - mean_;
  }
}

torch::Tensor Likeness::describe(const torch::Tensor & patches) const
{
  std::vector<torch::Tensor> described;
  for (const torch::Tensor & some : patches.split(kPatchesAtOnce)) {
    const torch::Tensor maps = early_maps_(some);
    if (!maps.defined()) {
      return {};
    }
    described.push_back(maps.mean(std::vector<std::int64_t>{2, 3}));
  }
  return torch::cat(described);
}

void Likeness::add(
  const std::string & name, const torch::Tensor & image, const std::vector<ShownPart> & parts,
  const std::vector<OtherImage> & others, Random random)
{
  for (const ShownPart & part : parts) {
    const std::int64_t row = can_measure() ? row_of_.at(part.prototype) : -1;
    if (row < 0 || image_of_[part.prototype] == name || others.empty()) {
      continue;
    }
    std::vector<torch::Tensor> patches{patch_of(image, part.box)};
    for (const OtherImage & other : others) {
      patches.push_back(patch_of(other.pixels, box_at_random(part.box.size(), other, random)));
    }
    const torch::Tensor cosine =
      torch::cosine_similarity(describe(torch::stack(patches)) - mean_, descriptions_[row], 1)
        .to(torch::kFloat64);  // [1 + others]
    const auto shown = cosine[0].item<double>();
    for (std::int64_t i = 1; i < cosine.size(0); ++i) {
      const auto at_random = cosine[i].item<double>();
      if (std::isfinite(shown) && std::isfinite(at_random)) {
        nearer_ += shown > at_random ? 1 : (shown == at_random ? 0.5 : 0);
        ++comparisons_;
      }
    }
  }
}

std::optional<double> Likeness::result() const
{
  if (comparisons_ == 0) {
    return {};
  }
  return nearer_ / static_cast<double>(comparisons_);
}

}  // namespace mgproto
