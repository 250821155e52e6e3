// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/evaluate/ood/named_scores.hpp"

#include <torch/torch.h>

#include "model/heads/softmax_head.hpp"
#include "training/evaluate/ood/energy.hpp"
#include "training/evaluate/ood/gem.hpp"
#include "training/evaluate/ood/gen.hpp"
#include "training/evaluate/ood/knn.hpp"
#include "training/evaluate/ood/mahalanobis.hpp"
#include "training/evaluate/ood/max_logit.hpp"
#include "training/evaluate/ood/msp.hpp"
#include "training/evaluate/ood/react.hpp"
#include "training/evaluate/ood/vim.hpp"

namespace mgproto
{

std::vector<NamedScore> named_scores(
  Network & network, const std::optional<ImageOutputs> & training)
{
  using Score = decltype(NamedScore::score);
  const auto of_logits = [](torch::Tensor (*score)(const torch::Tensor &)) -> Score {
    return [score](const ImageOutputs & images) { return score(images.logits); };
  };
  const auto fitted = [&](auto make) -> Score {
    if (!training) {
      return nullptr;
    }
    return [score = make(*training)](const ImageOutputs & images) { return score.score(images); };
  };
  const Score mahalanobis = fitted([](const ImageOutputs & images) { return Mahalanobis(images); });
  const Score knn = fitted([](const ImageOutputs & images) {
    return Knn(images, neighbours_within_classes(images.labels));
  });
  const Score gem = fitted([](const ImageOutputs & images) { return Gem(images); });
  if (!network.has_head()) {
    return {{"mahalanobis", mahalanobis}, {"knn", knn}, {"gem", gem}};
  }
  const auto * softmax = dynamic_cast<const SoftmaxHead *>(&network.head());
  const Score vim = fitted([&](const ImageOutputs & images) {
    return softmax != nullptr ? Vim(images, softmax->weight, softmax->bias) : Vim(images);
  });
  std::vector<NamedScore> scores{
    {"log_density", network.has_density() ? of_logits(energy) : nullptr},
    {"msp", of_logits(msp)},
    {"maxlogit", of_logits(max_logit)},
    {"energy", of_logits(energy)},
    {"gen", of_logits(gen)},
    {"mahalanobis", mahalanobis},
    {"knn", knn},
    {"gem", gem},
    {"vim", vim}};
  if (softmax != nullptr) {
    Score react;
    if (training) {
      react = [softmax,
               threshold = react_threshold(training->features)](const ImageOutputs & images) {
        return react_energy(images.features, softmax->weight, softmax->bias, threshold);
      };
    }
    scores.push_back({"react", react});
    scores.push_back({"ash", [](const ImageOutputs & images) { return images.ash; }});
    scores.push_back({"odin", [](const ImageOutputs & images) { return images.odin; }});
  }
  return scores;
}

}  // namespace mgproto
