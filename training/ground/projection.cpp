// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/ground/projection.hpp"

#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "datasets/image.hpp"
#include "mgproto_ros/error.hpp"
#include "model/evidence.hpp"
#include "visual/heat_map.hpp"
#include "visual/patch_picture.hpp"

namespace mgproto
{
namespace
{

constexpr int kLargestHeat = 160;
constexpr double kSamePart = 0.95;  // cosine of two features from which on they are of one part

double cosine(const std::vector<float> & a, const std::vector<float> & b)
{
  const auto product = [](const std::vector<float> & x, const std::vector<float> & y) {
    return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
  };
  const double lengths = std::sqrt(product(a, a) * product(b, b));
  return lengths > 0 ? product(a, b) / lengths : 0;
}

/// Neighbouring positions of an image show the same part, and so do two patches that are all but one.
bool is_same_part(const PatchCandidate & a, const PatchCandidate & b)
{
  const std::int64_t rows = std::abs(a.position / a.map_cols - b.position / b.map_cols);
  const std::int64_t cols = std::abs(a.position % a.map_cols - b.position % b.map_cols);
  const bool neighbours = a.image == b.image && std::max(rows, cols) < 2;
  return neighbours || cosine(a.feature, b.feature) > kSamePart;
}

/// The training image under the map. A likelihood is at most 1; a ProtoPNet's similarity has no such
/// scale, so that its highest one becomes 1.
std::vector<std::uint8_t> heat_jpeg(cv::Mat image, const PatchCandidate & patch)
{
  std::vector<float> map = patch.map;
  const float highest = *std::max_element(map.begin(), map.end());
  for (float & value : map) {
    value /= std::max(highest, 1.0f);
  }
  visual::blend_heat_map(image, map, patch.map_rows(), patch.map_cols, patch.geometry.seen());
  return visual::small_jpeg(image, kLargestHeat);
}

}  // namespace

Box PatchCandidate::box() const { return activation_box(map, map_rows(), map_cols, geometry); }

PatchSearch::PatchSearch(const PrototypeHead & head, std::size_t patches)
: patches_(patches), best_(head.prototypes())
{
  for (int c = 0; c < head.classes(); ++c) {
    range_.push_back(head.range_of(c));
  }
}

void PatchSearch::add(
  const PrototypeHead & head, const torch::Tensor & features, std::int64_t label,
  std::int64_t image, const InputGeometry & geometry)
{
  const auto [begin, end] = range_.at(label);
  const torch::Tensor maps =
    head.similarity_maps(features.unsqueeze(0), head.means.slice(0, begin, end))[0]
      .contiguous();  // [M, P]
  const std::int64_t positions = maps.size(1);
  for (std::int64_t k = begin; k < end; ++k) {
    const float * map = maps.data_ptr<float>() + (k - begin) * positions;
    const float * maximum = std::max_element(map, map + positions);
    std::vector<PatchCandidate> & best = best_[k];
    const std::size_t wanted = patches_ > 0 ? patches_ : static_cast<std::size_t>(end - begin);
    if (best.size() == wanted && best.back().similarity >= *maximum) {
      continue;
    }
    PatchCandidate candidate;
    candidate.similarity = *maximum;
    candidate.image = image;
    candidate.position = maximum - map;
    const torch::Tensor feature =
      features.flatten(1).select(1, candidate.position).contiguous();  // [D]
    candidate.feature.assign(
      feature.data_ptr<float>(), feature.data_ptr<float>() + feature.numel());
    const torch::Tensor activation = head.activation(maps[k - begin]).contiguous();
    candidate.map.assign(activation.data_ptr<float>(), activation.data_ptr<float>() + positions);
    candidate.map_cols = static_cast<int>(features.size(2));
    candidate.geometry = geometry;
    // Behind its equals: of two equal patches the first one seen stays in front.
    const auto place = std::upper_bound(
      best.begin(), best.end(), candidate,
      [](const auto & a, const auto & b) { return a.similarity > b.similarity; });
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
    std::vector<const PatchCandidate *> parts;
    for (std::int64_t k = begin; k < end; ++k) {
      if (!best_[k].empty()) {
        const PatchCandidate & patch = best_[k].front();
        const bool is_new = std::none_of(parts.begin(), parts.end(), [&](const auto * part) {
          return is_same_part(*part, patch);
        });
        if (is_new) {
          parts.push_back(&patch);
        }
      }
    }
    sum += static_cast<double>(parts.size());
  }
  return sum / static_cast<double>(range_.size());
}

Projection project(
  Network & network, const Dataset & dataset, Loader & loader, bool distinct_images,
  const Progress & progress)
{
  const torch::NoGradGuard no_grad;
  PrototypeHead * const prototypes = network.prototype_head();
  if (prototypes == nullptr) {
    throw ConfigError("head.kind", "'" + network.config().head.kind + "' has no prototypes");
  }
  PrototypeHead & head = *prototypes;
  PatchSearch search(head);
  for_each_batch(network, loader, progress, [&](const BatchOutputs & outputs) {
    const Batch & batch = outputs.batch();
    for (int b = 0; b < batch.count; ++b) {
      search.add(head, outputs.features()[b], batch.labels[b], batch.images[b], batch.geometry[b]);
    }
  });

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
    Provenance source;
    source.image = dataset.samples[patch.image].name;
    source.row = static_cast<int>(patch.position) / cols;
    source.col = static_cast<int>(patch.position) % cols;
    source.box = patch.box();
    const cv::Mat image = read_image(dataset.samples[patch.image]);
    visual::store_patch(source, image);
    projection.heat[k] = heat_jpeg(image, patch);
    projection.prototypes[k] = std::move(source);
  }
  return projection;
}

}  // namespace mgproto
