// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/evaluate/scores.hpp"

#include <torch/torch.h>

#include <cmath>

namespace mgproto
{
namespace
{

void append(std::vector<double> & values, const torch::Tensor & tensor)
{
  const torch::Tensor more = tensor.to(torch::kFloat64).contiguous();
  values.insert(values.end(), more.data_ptr<double>(), more.data_ptr<double>() + more.numel());
}

void append(Scores & scores, const Batch & batch, const torch::Tensor & logits)
{
  const auto [posterior, predicted] = logits.softmax(1).max(1);
  append(scores.log_density, logits.logsumexp(1));
  append(scores.max_posterior, posterior);
  scores.predicted.insert(
    scores.predicted.end(), predicted.data_ptr<std::int64_t>(),
    predicted.data_ptr<std::int64_t>() + batch.count);
  scores.label.insert(scores.label.end(), batch.labels.begin(), batch.labels.begin() + batch.count);
}

}  // namespace

torch::Tensor images_of(Batch & batch)
{
  const auto size = static_cast<std::int64_t>(
    std::lround(std::sqrt(static_cast<double>(batch.pixels.size()) / (3.0 * batch.count))));
  return torch::from_blob(batch.pixels.data(), {batch.count, 3, size, size}, torch::kFloat32);
}

double Scores::accuracy() const
{
  std::int64_t labelled = 0;
  std::int64_t right = 0;
  for (std::size_t i = 0; i < label.size(); ++i) {
    labelled += label[i] >= 0 ? 1 : 0;
    right += label[i] >= 0 && label[i] == predicted[i] ? 1 : 0;
  }
  return labelled > 0 ? static_cast<double>(right) / static_cast<double>(labelled) : 0;
}

std::vector<std::vector<std::int64_t>> Scores::confusion(std::int64_t classes) const
{
  std::vector<std::vector<std::int64_t>> counts(classes, std::vector<std::int64_t>(classes, 0));
  for (std::size_t i = 0; i < label.size(); ++i) {
    if (label[i] >= 0) {
      ++counts[label[i]][predicted[i]];
    }
  }
  return counts;
}

void for_each_batch(
  Network & network, Loader & loader, const Progress & progress,
  const std::function<void(const BatchAnswers &)> & look)
{
  const torch::NoGradGuard no_grad;
  network.eval();
  Batch batch;
  loader.start(0);
  std::int64_t done = 0;
  while (loader.next(batch)) {
    BatchAnswers answers{batch, images_of(batch), {}, {}, {}, {}, {}};
    answers.z = network.backbone_map(answers.images);
    if (network.has_head()) {
      answers.features = network.features(answers.z);
    }
    if (const PrototypeHead * head = network.prototype_head()) {
      answers.maps = head->similarity_maps(answers.features, head->means);
      answers.similarity = std::get<0>(answers.maps.max(2));
      answers.logits = head->class_logits(answers.similarity);
    } else if (network.has_head()) {
      answers.logits = network.head().logits(answers.features);
    }
    look(answers);
    if (progress) {
      progress(++done, loader.batches_per_epoch());
    }
  }
}

Scores score(Network & network, Loader & loader, const Progress & progress)
{
  Scores scores;
  for_each_batch(network, loader, progress, [&](const BatchAnswers & seen) {
    append(scores, seen.batch, seen.logits);
  });
  return scores;
}

std::vector<Scores> score_heads(
  Network & network, const std::vector<const Head *> & heads, Loader & loader,
  const Progress & progress)
{
  std::vector<Scores> scores(heads.size());
  for_each_batch(network, loader, progress, [&](const BatchAnswers & seen) {
    for (std::size_t i = 0; i < heads.size(); ++i) {
      append(scores[i], seen.batch, heads[i]->logits(seen.features));
    }
  });
  return scores;
}

}  // namespace mgproto
