// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/measure/ood_scores.hpp"

#include <torch/torch.h>

#include "training/measure/logit_scores.hpp"
#include "training/measure/peer_scores.hpp"

namespace mgproto
{
namespace
{

OodScore of_logits(torch::Tensor (*score)(const torch::Tensor &))
{
  return [score](const ImageOutputs & images) { return score(images.logits); };
}

}  // namespace

std::vector<NamedScore> named_scores(Network & network, const ImageOutputs * training)
{
  const auto fitted = [training](const auto & fit) -> OodScore {
    return training != nullptr ? fit(*training) : nullptr;
  };
  const std::vector<NamedScore> on_features{
    {"mahalanobis", fitted(mahalanobis)},
    {"mahalanobis_directions", fitted(mahalanobis_of_directions)},
    {"relative_mahalanobis", fitted(relative_mahalanobis)},
    {"knn", fitted([](const ImageOutputs & images) {
       return knn(images, neighbours_within_classes(images.labels));
     })},
    {"gem", fitted(gem)},
    {"conjnorm", fitted(conjnorm)},
    {"neco", fitted(neco)}};
  if (!network.has_head()) {
    return on_features;
  }
  std::vector<NamedScore> scores{
    {"log_density", network.has_density() ? of_logits(energy) : nullptr},
    {"msp", of_logits(msp)},
    {"maxlogit", of_logits(max_logit)},
    {"energy", of_logits(energy)},
    {"gen", of_logits(gen)}};
  scores.insert(scores.end(), on_features.begin(), on_features.end());
  const std::optional<LinearLayer> layer = network.head().linear_layer();
  scores.push_back(
    {"vim", fitted([&](const ImageOutputs & images) { return vim(images, layer); })});
  scores.push_back({"nnguide", fitted([&](const ImageOutputs & images) {
                      return network.has_density() ? nnguide_of_log_densities(images)
                                                   : nnguide(images);
                    })});
  if (layer) {
    scores.push_back({"react", fitted([&](const ImageOutputs & known) -> OodScore {
                        return [layer = *layer, threshold = react_threshold(known.features)](
                                 const ImageOutputs & images) {
                          return react_energy(images.features, layer, threshold);
                        };
                      })});
    scores.push_back({"ash", [](const ImageOutputs & images) { return images.ash; }});
    scores.push_back({"scale", [layer = *layer](const ImageOutputs & images) {
                        return scale_energy(images.features, layer);
                      }});
    scores.push_back(
      {"fdbd", fitted([&](const ImageOutputs & images) { return fdbd(images, *layer); })});
    scores.push_back(
      {"nci", fitted([&](const ImageOutputs & images) { return nci(images, *layer); })});
    scores.push_back({"odin", [](const ImageOutputs & images) { return images.odin; }});
  }
  return scores;
}

std::vector<NamedScore> plain_scores(bool has_density)
{
  return {{has_density ? "log_density" : "energy", of_logits(energy)}, {"msp", of_logits(msp)}};
}

Columns columns_for_scores(Network & network, bool with_odin)
{
  Columns columns{
    {"logits", &BatchOutputs::logits},
    {"features", &BatchOutputs::pooled},
    {"similarity", &BatchOutputs::similarity}};
  const auto layer = network.has_head() ? network.head().linear_layer() : std::nullopt;
  if (layer) {
    columns["ash"] = [layer](const BatchOutputs & batch) {
      return ash_energy(batch.backbone_map(), *layer);
    };
    if (with_odin) {
      columns["odin"] = [&network](const BatchOutputs & batch) {
        return odin(batch.images(), [&](const torch::Tensor & images) {
          return network.head().logits(network.backbone_map(images));
        });
      };
    }
  }
  return columns;
}

}  // namespace mgproto
