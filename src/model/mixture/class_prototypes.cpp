// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/mixture/class_prototypes.hpp"

#include <torch/torch.h>

#include <algorithm>
#include <set>

#include "model/heads/gaussian_head.hpp"
#include "model/mixture/expectation.hpp"

namespace mgproto
{
namespace
{

constexpr std::int64_t kCentresPerPrototype = 3;
constexpr std::int64_t kPatchesPerCentre = 10;
constexpr double kSharpness = 64;  // kappa of EM's E-step: nearly every feature has one prototype
constexpr int kEmLoops = 20;
constexpr std::int64_t kImagesAtOnce = 32;
constexpr double kSharing = 0.4;    // 0: weights know nothing of places; 1: a shared place is lost
constexpr std::int64_t kApart = 2;  // cells between the maxima of two places, by row or by column

/// Of a class, its features [n, D] that look like it rather than like another class; all of them if
/// those would be too few.
torch::Tensor own_features(
  const torch::Tensor & features /*[n, D]*/, const torch::Tensor & class_means,
  std::int64_t class_id, std::int64_t fewest)
{
  if (!class_means.defined()) {
    return features;
  }
  const torch::Tensor u = unit_vectors(features.slice(1, 0, class_means.size(1)));
  const torch::Tensor own =
    torch::matmul(u, class_means.t()).argmax(1).eq(class_id).nonzero().squeeze(1);
  return own.size(0) >= fewest ? features.index_select(0, own) : features;
}

/// Centres of the features [count, D], unit vectors.
torch::Tensor centres(
  const torch::Tensor & features, std::int64_t count, std::uint64_t seed, std::int64_t class_id)
{
  torch::Tensor means = kmeans_seeds(features, count, seed, class_id).unsqueeze(0);  // [1, M, D]
  torch::Tensor priors = torch::full({1, count}, 1.0 / static_cast<double>(count));
  const torch::Tensor f = features.unsqueeze(0);  // [1, n, D]
  for (int loop = 0; loop < kEmLoops; ++loop) {
    const Assignments assigned = assignments(f, responsibilities(f, means, priors, kSharpness));
    means =
      torch::where(assigned.count > 0, unit_vectors(assigned.sum.squeeze(0)).unsqueeze(0), means);
    priors = (assigned.count.squeeze(2) / assigned.features).clamp_min(1e-6);
  }
  return means.squeeze(0);
}

/// Of every prototype and image: the cosine at the place most like it, and that place.
struct BestPlaces
{
  torch::Tensor cosine;    // [N, K]
  torch::Tensor position;  // [N, K]
};

BestPlaces best_places(const torch::Tensor & features /*[N, D, P]*/, const torch::Tensor & p)
{
  std::vector<torch::Tensor> cosines, positions;
  for (std::int64_t n = 0; n < features.size(0); n += kImagesAtOnce) {
    const auto [cosine, position] =
      torch::matmul(p, features.slice(0, n, n + kImagesAtOnce)).max(2);
    cosines.push_back(cosine);
    positions.push_back(position);
  }
  return {torch::cat(cosines), torch::cat(positions)};
}

/// Patches of a class's images, several around each centre.
struct Patches
{
  torch::Tensor features;  // [K, D]
  torch::Tensor image;     // of the class's [K]
  torch::Tensor position;  // in its map [K]
  torch::Tensor centre;    // [K]
};

Patches patches_near(const torch::Tensor & centre, const torch::Tensor & images /*[n, D, P]*/)
{
  const BestPlaces best = best_places(images, centre);  // [n, centres]
  const std::int64_t count = std::min(kPatchesPerCentre, images.size(0));
  const torch::Tensor nearest = std::get<1>(best.cosine.topk(count, 0));  // [count, centres]
  Patches patches;
  patches.image = nearest.t().reshape(-1);
  patches.centre = torch::arange(centre.size(0)).repeat_interleave(count);
  patches.position = best.position.gather(0, nearest).t().reshape(-1);
  patches.features = images.permute({0, 2, 1}).index({patches.image, patches.position});
  return patches;
}

/// d' of each patch: how far apart the images of its class, but for its own, and the others are.
torch::Tensor told_apart(
  const torch::Tensor & cosines /*[N, K]*/, const torch::Tensor & is_own /*[N]*/,
  const torch::Tensor & image /*[K]*/)
{
  const torch::Tensor own = cosines.index({is_own});
  const torch::Tensor others = cosines.index({is_own.logical_not()});
  // A class of one image has no other to be judged by.
  const double counts_itself = own.size(0) > 1 ? 0 : 1;
  const torch::Tensor counts = torch::ones_like(own).scatter_(0, image.unsqueeze(0), counts_itself);
  const torch::Tensor mean = (own * counts).sum(0) / counts.sum(0);
  const torch::Tensor variance =
    ((own - mean).square() * counts).sum(0) / counts.sum(0) + others.var(0, false);
  return (mean - others.mean(0)) / (variance / 2 + 1e-12).sqrt();
}

/// The M patches that tell their class best, of as many centres and, while there are enough, images.
std::vector<std::int64_t> choose(
  const Patches & patches, const torch::Tensor & apart, std::int64_t M)
{
  const torch::Tensor order = apart.argsort(0, /*descending=*/true);
  std::vector<std::int64_t> chosen;
  std::set<std::int64_t> centres, images;
  for (const bool distinct_images : {true, false}) {
    for (std::int64_t i = 0; i < order.size(0); ++i) {
      const auto k = order[i].item<std::int64_t>();
      const auto centre = patches.centre[k].item<std::int64_t>();
      const auto image = patches.image[k].item<std::int64_t>();
      const bool is_new =
        centres.count(centre) == 0 && (!distinct_images || images.count(image) == 0);
      if (is_new && static_cast<std::int64_t>(chosen.size()) < M) {
        chosen.push_back(k);
        centres.insert(centre);
        images.insert(image);
      }
    }
  }
  return chosen;
}

/// Prototypes that look at one place say one thing. Each counts by what it tells, the strongest in
/// full; of the next the less the more often a stronger one looks at the same place.
torch::Tensor weights(
  const torch::Tensor & apart /*[M]*/, const torch::Tensor & position /*[n, M]*/,
  std::int64_t map_cols)
{
  const torch::Tensor row = position.div(map_cols, "floor");
  const torch::Tensor col = position.remainder(map_cols);
  const auto far = [](const torch::Tensor & x) {
    return (x.unsqueeze(2) - x.unsqueeze(1)).abs() >= kApart;
  };
  const torch::Tensor often_apart =
    far(row).logical_or(far(col)).to(torch::kFloat32).mean(0);  // [M, M]
  torch::Tensor weight = apart.clamp_min(0);
  torch::Tensor open = torch::ones_like(weight);  // 1 for what is not weighed yet
  for (std::int64_t i = 0; i < weight.size(0); ++i) {
    const auto strongest = (weight + open).mul(open).argmax().item<std::int64_t>();
    open[strongest] = 0;
    weight = torch::where(open > 0, weight * often_apart[strongest].pow(kSharing), weight);
  }
  return weight;
}

}  // namespace

ClassPrototypes find_class_prototypes(
  const torch::Tensor & features, const torch::Tensor & is_own, std::int64_t map_cols,
  const torch::Tensor & class_means, std::int64_t class_id, std::int64_t M, std::uint64_t seed)
{
  const torch::NoGradGuard no_grad;
  const torch::Tensor images = features.index({is_own});  // [n, D, P]
  const torch::Tensor of_class =
    images.permute({0, 2, 1}).reshape({-1, images.size(1)});  // [n P, D]
  const std::int64_t count = M * kCentresPerPrototype;
  const Patches patches = patches_near(
    centres(own_features(of_class, class_means, class_id, count), count, seed, class_id), images);
  const BestPlaces best = best_places(features, patches.features);
  const torch::Tensor apart = told_apart(best.cosine, is_own, patches.image);  // [K]
  const torch::Tensor chosen = torch::tensor(choose(patches, apart, M), torch::kInt64);
  ClassPrototypes found;
  found.means = patches.features.index_select(0, chosen);
  found.image = patches.image.index_select(0, chosen);
  found.position = patches.position.index_select(0, chosen);
  found.apart = apart.index_select(0, chosen);
  // Never 0: its logarithm is taken.
  const torch::Tensor weight =
    weights(found.apart, best.position.index({is_own}).index_select(1, chosen), map_cols) + 1e-3;
  found.priors = weight / weight.sum();
  found.candidates = apart.size(0);
  found.apart_of_all = apart.sum().item<double>();
  return found;
}

}  // namespace mgproto
