// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/measure/peer_scores.hpp"

#include <torch/torch.h>

#include <algorithm>
#include <limits>

#include "model/heads/gaussian_head.hpp"
#include "training/measure/checked_input.hpp"
#include "training/measure/feature_fits.hpp"
#include "training/measure/logit_scores.hpp"

namespace mgproto
{
namespace
{

constexpr double kNorm = 2.2;                       // p of ConjNorm
constexpr double kConjugate = kNorm / (kNorm - 1);  // q
constexpr double kTemperature = 0.05;
constexpr std::int64_t kGuides = 10;
constexpr double kSmallestGuidance = 1e-12;
constexpr double kActivationWeight = 1e-4;  // alpha of NCI

/// 1 where it is 0, to divide by.
torch::Tensor or_one(const torch::Tensor & divisor) { return divisor.masked_fill(divisor == 0, 1); }

/// [N, 1]; LibTorch's own takes p in float32.
torch::Tensor p_norm(const torch::Tensor & rows, double p)
{
  return rows.abs().pow(p).sum(1, true).pow(1 / p);
}

torch::Tensor of_norm_one(const torch::Tensor & rows) { return rows / or_one(p_norm(rows, kNorm)); }

/// -d(z, m) / T without its constant of m, of features [N, D] and the gradients [C, D] at the means.
torch::Tensor log_densities(const torch::Tensor & features, const torch::Tensor & gradients)
{
  const torch::Tensor z = of_norm_one(features);
  return (z.matmul(gradients.t()) - p_norm(z, kConjugate).square() / 2) / kTemperature;
}

/// Of images [N] with features and confidences [N]: the mean of the k largest confidence * cosine.
std::function<torch::Tensor(const torch::Tensor &)> guidance(
  const ImageOutputs & training, const torch::Tensor & confidences)
{
  const torch::Tensor known = unit_vectors(training_features(training));
  checked_labels(training.labels, known.size(0));
  const std::int64_t k = std::min(kGuides, neighbours_within_classes(training.labels));
  return [guides = known * confidences.unsqueeze(1), k](const torch::Tensor & features) {
    const torch::Tensor x = unit_vectors(checked_matrix(features, "features", guides.size(1)));
    torch::Tensor means = torch::empty({x.size(0)}, torch::kFloat64);
    for (std::int64_t first = 0; first < x.size(0); first += kImagesAtOnce) {
      const torch::Tensor some = x.slice(0, first, std::min(first + kImagesAtOnce, x.size(0)));
      const torch::Tensor products = some.matmul(guides.t());
      means.slice(0, first, first + some.size(0)).copy_(std::get<0>(products.topk(k, 1)).mean(1));
    }
    return means;
  };
}

/// Energies of the training images, whose features are checked first.
torch::Tensor training_energies(const ImageOutputs & training)
{
  training_features(training);
  return energy(logits_of(training));
}

/// Logits with a column for each class of the layer, and features that fit it.
struct LinearOutputs
{
  torch::Tensor features;   // [N, D]
  torch::Tensor logits;     // [N, C]
  torch::Tensor predicted;  // [N]
};

LinearOutputs linear_outputs(const ImageOutputs & images, const LinearLayer & layer)
{
  const torch::Tensor features = checked_matrix(images.features, "features", layer.weight.size(1));
  const torch::Tensor logits = checked_matrix(logits_of(images), "logits", layer.weight.size(0));
  return {features, logits, logits.argmax(1)};
}

}  // namespace

OodScore conjnorm(const ImageOutputs & training)
{
  const torch::Tensor features = training_features(training);
  const torch::Tensor means = of_norm_one(class_means(features, training.labels).means);
  const torch::Tensor gradients =  // of half the squared q-norm [C, D]
    means.sign() * means.abs().pow(kConjugate - 1) * p_norm(means, kConjugate).pow(2 - kConjugate);
  const torch::Tensor partition = log_densities(features, gradients).logsumexp(0);  // [C]
  return [gradients, partition](const ImageOutputs & images) {
    const torch::Tensor x = checked_matrix(images.features, "features", gradients.size(1));
    return (log_densities(x, gradients) - partition).logsumexp(1);
  };
}

OodScore neco(const ImageOutputs & training)
{
  const torch::Tensor features = training_features(training);
  const std::int64_t classes = class_means(features, training.labels).means.size(0);
  const torch::Tensor mean = features.mean(0);
  const torch::Tensor deviation = features.std(0, /*unbiased=*/false);
  const torch::Tensor scale =
    or_one(deviation.masked_fill(deviation <= kRounding * features.abs().amax(0), 0));
  const torch::Tensor principal =  // [D, at most R]
    axes_of((features - mean) / scale)
      .directions.slice(1, 0, std::max<std::int64_t>(classes - 1, 1));
  return [mean, scale, principal](const ImageOutputs & images) {
    const torch::Tensor x =
      (checked_matrix(images.features, "features", mean.size(0)) - mean) / scale;
    return x.matmul(principal).norm(2, 1) / or_one(x.norm(2, 1));
  };
}

OodScore nnguide(const ImageOutputs & training)
{
  return [guide = guidance(training, training_energies(training))](const ImageOutputs & images) {
    const torch::Tensor mean = guide(images.features);
    return mean * energy(logits_of(images));
  };
}

OodScore nnguide_of_log_densities(const ImageOutputs & training)
{
  const torch::Tensor energies = training_energies(training);
  const torch::Tensor highest = energies.max();
  const torch::Tensor deviation = or_one(energies.std(/*unbiased=*/false));
  const auto to_log = [highest, deviation](const torch::Tensor & of) {
    return (of - highest) / deviation;
  };
  return [guide = guidance(training, to_log(energies).exp()), to_log](const ImageOutputs & images) {
    const torch::Tensor mean = guide(images.features);
    return mean.clamp_min(kSmallestGuidance).log() + to_log(energy(logits_of(images)));
  };
}

OodScore fdbd(const ImageOutputs & training, const LinearLayer & layer)
{
  const torch::Tensor features = training_features(training);
  const LinearLayer linear = checked(layer, features.size(1));
  const torch::Tensor between =
    (linear.weight.unsqueeze(0) - linear.weight.unsqueeze(1)).norm(2, 2);
  return [linear, between, mean = features.mean(0)](const ImageOutputs & images) {
    const auto [x, logits, predicted] = linear_outputs(images, linear);
    const torch::Tensor apart = between.index_select(0, predicted);  // [N, C]
    const torch::Tensor distances =
      ((logits.amax(1, true) - logits) / or_one(apart)).masked_fill(apart == 0, 0);
    const std::int64_t others = std::max<std::int64_t>(logits.size(1) - 1, 1);
    return distances.sum(1) / others /
           (x - mean).norm(2, 1).clamp_min(std::numeric_limits<float>::min());
  };
}

OodScore nci(const ImageOutputs & training, const LinearLayer & layer)
{
  const torch::Tensor features = training_features(training);
  const LinearLayer linear = checked(layer, features.size(1));
  return [linear, mean = features.mean(0)](const ImageOutputs & images) {
    const auto [x, logits, predicted] = linear_outputs(images, linear);
    const torch::Tensor centred = x - mean;
    const torch::Tensor along = (linear.weight.index_select(0, predicted) * centred).sum(1);
    return along / or_one(centred.norm(2, 1)) + kActivationWeight * x.norm(1, 1);
  };
}

}  // namespace mgproto
