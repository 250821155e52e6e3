// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TEACH__THREE_COLOURS_HPP_
#define TEACH__THREE_COLOURS_HPP_

#include <torch/torch.h>

#include <cmath>
#include <memory>
#include <vector>

#include "model/calibrate.hpp"
#include "model/checkpoint.hpp"
#include "model/image_file.hpp"
#include "model/mixture/class_prototypes.hpp"
#include "model/preprocessing.hpp"
#include "model/whitening.hpp"
#include "small_model.hpp"
#include "teach/discs.hpp"

namespace mgproto::test
{

inline constexpr int kTraining = 30;  // images of each colour

/// Discs of the three colours as the network's input, one colour after the other.
inline torch::Tensor inputs_of(int per_class, std::uint64_t first)
{
  Preprocessor preprocess(small_manifest().preprocessing);
  std::vector<torch::Tensor> inputs;
  for (int c = 0; c < 3; ++c) {
    for (int i = 0; i < per_class; ++i) {
      torch::Tensor input = torch::empty({1, 3, kDiscSize, kDiscSize});
      preprocess(view_of(disc(kColours[c], first + i)), input.data_ptr<float>());
      inputs.push_back(input);
    }
  }
  return torch::cat(inputs);
}

inline std::shared_ptr<SeenImages> seen_by(Network & network, int per_class, std::uint64_t first)
{
  const torch::Tensor z = network.backbone_map(inputs_of(per_class, first));
  return std::make_shared<SeenImages>(
    z.mean({2, 3}), network.features(z).contiguous(),
    torch::arange(3).repeat_interleave(per_class));
}

/// Three colours in closed form, four prototypes each, familiar and calibrated.
inline Checkpoint three_colours(double whole = 0.5)
{
  const torch::NoGradGuard no_grad;
  torch::manual_seed(5);
  ModelConfig config = small_config();
  config.head.combine = HeadConfig::Combine::product;
  config.head.concentration = 2;
  config.head.whole = whole;
  config.head.whole_dim = whole > 0 ? 2 : 0;
  const auto network =
    std::make_shared<Network>(config, std::make_shared<GaussianHead>(3, 4, config.head));
  network->eval();
  GaussianHead & head = network->gaussian_head();
  WhiteningStatistics statistics(3, network->backbone().channels());
  statistics.add(
    network->backbone_map(inputs_of(kTraining, 0)), torch::arange(3).repeat_interleave(kTraining));
  const Whitening whitening = statistics.solve(0.3, 2, 6);
  network->set_add_on(whitening.weight, whitening.bias);
  if (whole > 0) {
    head.wholes.copy_(whitening.class_means);
  }
  const auto training = seen_by(*network, kTraining, 0);
  const torch::Tensor labels = training->classes();
  for (int c = 0; c < 3; ++c) {
    const ClassPrototypes found = find_class_prototypes(
      training->features.flatten(2), labels.eq(c), training->features.size(3),
      whitening.class_means, c, 4, 1);
    head.means.slice(0, 4 * c, 4 * c + 4).copy_(found.means);
    head.priors.slice(0, 4 * c, 4 * c + 4).copy_(found.priors);
  }
  const torch::Tensor log_h =
    (torch::matmul(head.means, training->features.flatten(2)).amax(2) - 1) * 2 * M_PI;
  network->add_familiarity(familiarity_for(3, 3 * kTraining, training->pooled.size(1)))
    .fit(training->pooled, log_h, labels, 0.3);
  network->keep(seen_by(*network, 12, 100));

  Checkpoint model{small_manifest(), network};
  model.manifest.stage = Stage::projected;
  model.manifest.class_priors.assign(3, 1.0 / 3);
  model.manifest.prototypes.assign(12, std::nullopt);
  const SeenImages & held_out = *network->seen();
  const torch::Tensor maps = head.similarity_maps(held_out.features, head.means);
  const torch::Tensor similarity =
    head.similarity(maps, network->whole(held_out.pooled.unsqueeze(2).unsqueeze(3)));
  model.manifest.calibration = calibrate(
    *network, answers_of(*network, head.class_logits(similarity), similarity, held_out.pooled), 0.9,
    Criterion::joint);
  return model;
}

}  // namespace mgproto::test

#endif  // TEACH__THREE_COLOURS_HPP_
