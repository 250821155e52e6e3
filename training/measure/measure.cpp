// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/measure/measure.hpp"

#include <torch/torch.h>

#include "training/measure/interpret/image_measures.hpp"
#include "training/measure/logit_scores.hpp"
#include "training/measure/recognition.hpp"

namespace mgproto
{
namespace
{

Separation separation(const std::vector<double> & in, const std::vector<double> & out)
{
  return {fpr95(in, out), auroc(in, out), aupr_in(in, out), aupr_out(in, out)};
}

Calibrated at_threshold(const ImageOutputs & images, const DecisionRule & rule)
{
  const torch::Tensor known = rule.score(images).ge(rule.threshold);
  const auto known_share = [&](const torch::Tensor & chosen) {
    const auto count = chosen.sum().item<std::int64_t>();
    return count > 0
             ? std::optional(
                 known.logical_and(chosen).sum().item<double>() / static_cast<double>(count))
             : std::nullopt;
  };
  Calibrated result;
  result.threshold = rule.threshold;
  result.tpr = known_share(torch::ones_like(known)).value_or(0);
  result.wrong_known = known_share(images.logits.argmax(1).ne(images.labels));
  for (std::int64_t c = 0; c < images.logits.size(1); ++c) {
    result.tpr_of_class.push_back(known_share(images.labels.eq(c)));
    const auto share_of = [&](std::size_t id) { return result.tpr_of_class[id].value_or(1); };
    if (share_of(static_cast<std::size_t>(c)) < share_of(result.worst_class)) {
      result.worst_class = static_cast<std::size_t>(c);
    }
  }
  return result;
}

Selective selective(const std::vector<double> & score, const std::vector<bool> & right)
{
  return {area_under_risk_coverage(score, right), risk_coverage(score, right)};
}

}  // namespace

MeasuredImages as_pruned(
  const MeasuredImages & images, const GaussianHead & pruned,
  const std::vector<std::int64_t> & kept)
{
  const torch::Tensor index = torch::tensor(kept, torch::kInt64);
  const auto prune = [&](ImageOutputs & outputs) {
    // What stands behind the prototypes is not theirs and stays.
    const std::int64_t behind = pruned.whole_dim() > 0 ? pruned.classes() : 0;
    const std::int64_t columns = outputs.similarity.size(1);
    outputs.similarity = torch::cat(
      {outputs.similarity.index_select(1, index),
       outputs.similarity.slice(1, columns - behind, columns)},
      1);
    outputs.logits = pruned.class_logits(outputs.similarity);
  };
  MeasuredImages result = images;
  prune(result.test);
  if (result.calibration) {
    prune(*result.calibration);
  }
  for (auto & [name, outputs] : result.ood) {
    prune(outputs);
  }
  return result;
}

std::map<std::string, OodResult> measure_ood(
  const MeasuredImages & images, const std::vector<NamedScore> & scores,
  const std::optional<DecisionRule> & rule)
{
  std::map<std::string, OodResult> results;
  for (const auto & [name, outputs] : images.ood) {
    results[name].count = outputs.labels.size(0);
    if (rule) {
      results[name].passed = share_at_or_above(numbers(rule->score(outputs)), rule->threshold);
    }
  }
  for (const auto & [score_name, score] : scores) {
    const std::vector<double> in =
      score && !images.ood.empty() ? numbers(score(images.test)) : std::vector<double>();
    for (const auto & [name, outputs] : images.ood) {
      std::optional<Separation> separated;
      if (score) {
        separated = separation(in, numbers(score(outputs)));
      }
      results[name].scores.emplace_back(score_name, separated);
    }
  }
  return results;
}

ModelResult measure_model(
  const PrototypeHead * head, const MeasuredImages & images, const std::vector<NamedScore> & scores,
  const std::optional<DecisionRule> & rule)
{
  ModelResult result;
  result.accuracy = accuracy(images.test);
  if (head != nullptr) {
    result.prototypes = head->prototypes();
    result.diversity = diversity(*head);
  }
  if (rule) {
    result.calibrated = at_threshold(images.test, *rule);
  }
  result.ood = measure_ood(images, scores, rule);
  return result;
}

void measure_recognition(
  const ImageOutputs & images, const std::vector<std::string> & classes, bool has_density,
  const std::optional<DecisionRule> & rule, Evaluation & evaluation)
{
  const torch::Tensor & labels = images.labels;
  const torch::Tensor log_posterior = images.logits.log_softmax(1);
  evaluation.count = labels.size(0);
  evaluation.top5 = top_k_accuracy(log_posterior, labels, 5);
  evaluation.ece = expected_calibration_error(log_posterior, labels);
  evaluation.cross_entropy = cross_entropy(log_posterior, labels);
  evaluation.confusion = confusion(log_posterior, labels);
  const auto of_classes = class_accuracy(log_posterior, labels);
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const auto count = labels.eq(static_cast<std::int64_t>(c)).sum().item<std::int64_t>();
    evaluation.classes.push_back({classes[c], count, of_classes[c]});
  }
  const torch::Tensor is_right = log_posterior.argmax(1).eq(labels).contiguous();
  const std::vector<bool> right(
    is_right.data_ptr<bool>(), is_right.data_ptr<bool>() + is_right.numel());
  if (has_density) {
    evaluation.by_log_density = selective(log_density(images), right);
  }
  if (rule) {
    evaluation.by_decision = selective(numbers(rule->score(images)), right);
  }
  evaluation.by_msp = selective(numbers(msp(images.logits)), right);
}

}  // namespace mgproto
