// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/ground/projection.hpp"

#include <torch/torch.h>

#include <algorithm>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <set>

#include "model/evidence.hpp"
#include "training/data/image.hpp"
#include "visual/heat_map.hpp"

namespace mgproto
{
namespace
{

constexpr int kLargestPatch = 96;  // pixels of the longer side of a stored patch
constexpr int kLargestHeat = 160;
constexpr int kJpegQuality = 85;

std::vector<std::uint8_t> jpeg(const cv::Mat & image, int longest)
{
  cv::Mat small = image;
  const int longer = std::max(image.cols, image.rows);
  if (longer > longest) {
    const double scale = static_cast<double>(longest) / longer;
    cv::resize(image, small, {}, scale, scale, cv::INTER_AREA);
  }
  std::vector<std::uint8_t> bytes;
  cv::imencode(".jpg", small, bytes, {cv::IMWRITE_JPEG_QUALITY, kJpegQuality});
  return bytes;
}

}  // namespace

PatchSearch::PatchSearch(const GaussianHead & head)
: prototype_class_(head.prototype_class()), best_(head.prototypes())
{
  for (int c = 0; c < head.classes(); ++c) {
    range_.push_back(head.range_of(c));
  }
}

void PatchSearch::add(
  const GaussianHead & head, const torch::Tensor & features, std::int64_t label, std::int64_t image,
  const InputGeometry & geometry)
{
  const auto [begin, end] = range_.at(label);
  const torch::Tensor maps =
    head
      .log_likelihood_maps(
        features.unsqueeze(0), torch::arange(begin, end, torch::TensorOptions(torch::kInt64)))[0]
      .contiguous();  // [M, P]
  const std::int64_t positions = maps.size(1);
  for (std::int64_t k = begin; k < end; ++k) {
    const float * map = maps.data_ptr<float>() + (k - begin) * positions;
    const float * maximum = std::max_element(map, map + positions);
    std::vector<PatchCandidate> & best = best_[k];
    const auto wanted = static_cast<std::size_t>(end - begin);
    if (best.size() == wanted && best.back().log_likelihood >= *maximum) {
      continue;
    }
    PatchCandidate candidate;
    candidate.log_likelihood = *maximum;
    candidate.image = image;
    candidate.position = maximum - map;
    const torch::Tensor feature =
      features.flatten(1).select(1, candidate.position).contiguous();  // [D]
    candidate.feature.assign(
      feature.data_ptr<float>(), feature.data_ptr<float>() + feature.numel());
    candidate.map.resize(positions);
    std::transform(
      map, map + positions, candidate.map.begin(), [](float v) { return std::exp(v); });
    candidate.map_cols = static_cast<int>(features.size(2));
    candidate.geometry = geometry;
    // Behind its equals: of two equal patches the first one seen stays in front.
    const auto place = std::upper_bound(
      best.begin(), best.end(), candidate,
      [](const auto & a, const auto & b) { return a.log_likelihood > b.log_likelihood; });
    best.insert(place, std::move(candidate));
    if (best.size() > wanted) {
      best.pop_back();
    }
  }
}

std::vector<std::optional<PatchCandidate>> PatchSearch::choose(bool distinct_images) const
{
  std::vector<std::optional<PatchCandidate>> chosen(best_.size());
  std::set<std::int64_t> used;
  for (std::size_t k = 0; k < best_.size(); ++k) {
    for (const PatchCandidate & candidate : best_[k]) {
      if (!distinct_images || used.insert(candidate.image).second) {
        chosen[k] = candidate;
        break;
      }
    }
  }
  return chosen;
}

double PatchSearch::distinct_patches() const
{
  double sum = 0;
  for (const auto & [begin, end] : range_) {
    std::set<std::pair<std::int64_t, std::int64_t>> patches;
    for (std::int64_t k = begin; k < end; ++k) {
      if (!best_[k].empty()) {
        patches.emplace(best_[k].front().image, best_[k].front().position);
      }
    }
    sum += static_cast<double>(patches.size());
  }
  return sum / static_cast<double>(range_.size());
}

Projection project(
  Network & network, const Dataset & dataset, Loader & loader, bool distinct_images,
  const Progress & progress)
{
  const torch::NoGradGuard no_grad;
  network.eval();
  GaussianHead & head = network.head();
  PatchSearch search(head);
  Batch batch;
  loader.start(0);
  std::int64_t done = 0;
  while (loader.next(batch)) {
    const torch::Tensor features = network.features(network.backbone_map(images_of(batch)));
    for (int b = 0; b < batch.count; ++b) {
      search.add(head, features[b], batch.labels[b], batch.images[b], batch.geometry[b]);
    }
    if (progress) {
      progress(++done, loader.batches_per_epoch());
    }
  }

  Projection projection;
  projection.distinct_patches = search.distinct_patches();
  const auto chosen = search.choose(distinct_images);
  projection.prototypes.resize(chosen.size());
  projection.heat.resize(chosen.size());
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    if (!chosen[k]) {
      continue;
    }
    const PatchCandidate & patch = *chosen[k];
    head.means[static_cast<std::int64_t>(k)].copy_(torch::tensor(patch.feature));
    const int cols = patch.map_cols;
    const int rows = static_cast<int>(patch.map.size()) / cols;
    Provenance source;
    source.image = dataset.samples[patch.image].name;
    source.row = static_cast<int>(patch.position) / cols;
    source.col = static_cast<int>(patch.position) % cols;
    source.box = activation_box(patch.map, rows, cols, patch.geometry);
    cv::Mat image = read_image(dataset.samples[patch.image]);
    source.patch = jpeg(
      image(cv::Rect(source.box.x, source.box.y, source.box.width, source.box.height)),
      kLargestPatch);
    visual::blend_heat_map(image, patch.map, rows, cols, patch.geometry.seen(), 0.5);
    projection.heat[k] = jpeg(image, kLargestHeat);
    projection.prototypes[k] = std::move(source);
  }
  return projection;
}

}  // namespace mgproto
