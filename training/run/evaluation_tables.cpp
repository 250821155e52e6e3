// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/run/evaluation_tables.hpp"

#include <torch/torch.h>

#include "training/evaluate/ood/energy.hpp"
#include "training/evaluate/ood/msp.hpp"
#include "training/evaluate/ood/precision_recall.hpp"
#include "training/evaluate/ood_metrics.hpp"
#include "training/evaluate/recognition.hpp"
#include "training/evaluate/risk_coverage.hpp"
#include "training/evaluate/scores.hpp"
#include "training/ground/patch_agreement.hpp"
#include "training/ground/pruning.hpp"

namespace mgproto
{
namespace
{

using Json = nlohmann::ordered_json;

std::vector<double> numbers(const torch::Tensor & tensor)
{
  const torch::Tensor values = tensor.to(torch::kFloat64).contiguous();
  return {values.data_ptr<double>(), values.data_ptr<double>() + values.numel()};
}

Json or_null(const std::optional<double> & value) { return value ? Json(*value) : Json(); }

Json mean_or_null(const std::optional<PurityScore> & purity)
{
  return purity ? Json(purity->mean) : Json();
}

Json deviation_or_null(const std::optional<PurityScore> & purity)
{
  return purity ? Json(purity->deviation) : Json();
}

Json confusion(const torch::Tensor & predicted, const torch::Tensor & labels, std::int64_t classes)
{
  const auto values = [](const torch::Tensor & tensor) {
    const torch::Tensor whole = tensor.contiguous();
    return std::vector<std::int64_t>(
      whole.data_ptr<std::int64_t>(), whole.data_ptr<std::int64_t>() + whole.numel());
  };
  Scores answers;
  answers.predicted = values(predicted);
  answers.label = values(labels);
  return answers.confusion(classes);
}

Json selective(const std::vector<double> & score, const std::vector<bool> & right)
{
  Json curve = Json::array();
  for (const RiskPoint & point : risk_coverage(score, right)) {
    curve.push_back({point.coverage, point.accuracy});
  }
  return {{"aurc", area_under_risk_coverage(score, right)}, {"curve", curve}};
}

}  // namespace

Json recognition_table(const ImageOutputs & images, const Manifest & manifest, bool has_density)
{
  const torch::Tensor log_posterior = images.logits.log_softmax(1);
  const torch::Tensor predicted = log_posterior.argmax(1);
  const std::vector<double> log_density = numbers(energy(images.logits));
  const auto classes = static_cast<std::int64_t>(manifest.classes.size());
  Json result{
    {"count", images.labels.size(0)},
    {"accuracy", top_k_accuracy(log_posterior, images.labels)},
    {"top5", top_k_accuracy(log_posterior, images.labels, 5)},
    {"ece", expected_calibration_error(log_posterior, images.labels)},
    {"cross_entropy", cross_entropy(log_posterior, images.labels)},
    {"per_class", Json::array()}};
  const auto accuracy = class_accuracy(log_posterior, images.labels);
  for (std::int64_t c = 0; c < classes; ++c) {
    result["per_class"].push_back(
      {{"name", manifest.classes[c]},
       {"count", images.labels.eq(c).sum().item<std::int64_t>()},
       {"accuracy", or_null(accuracy[c])}});
  }
  result["confusion"] = confusion(predicted, images.labels, classes);
  if (manifest.calibration) {
    const double threshold = manifest.calibration->threshold;
    result["calibrated"] = {
      {"threshold", threshold}, {"tpr", share_at_or_above(log_density, threshold)}};
  }
  const torch::Tensor is_right = predicted.eq(images.labels).contiguous();
  const std::vector<bool> right(
    is_right.data_ptr<bool>(), is_right.data_ptr<bool>() + is_right.numel());
  result["selective"] = {
    {"log_density", has_density ? selective(log_density, right) : Json()},
    {"msp", selective(numbers(msp(images.logits)), right)}};
  return result;
}

Json rejection_table(
  const std::vector<NamedScore> & scores, const ImageOutputs & known,
  const ImageOutputs & strangers, const std::optional<Calibration> & calibration)
{
  Json result{{"count", strangers.labels.size(0)}, {"passed", Json()}, {"scores", Json::object()}};
  if (calibration) {
    result["passed"] = share_at_or_above(numbers(energy(strangers.logits)), calibration->threshold);
  }
  for (const auto & [name, score] : scores) {
    if (!score) {
      result["scores"][name] = Json();
      continue;
    }
    const std::vector<double> in = numbers(score(known));
    const std::vector<double> out = numbers(score(strangers));
    result["scores"][name] = {
      {"fpr95", fpr95(in, out)},
      {"auroc", auroc(in, out)},
      {"aupr_in", aupr_in(in, out)},
      {"aupr_out", aupr_out(in, out)}};
  }
  return result;
}

Json pruning_table(
  Network & network, const std::vector<int> & keep, const ImageOutputs & images,
  const std::optional<ImageOutputs> & training,
  const std::map<std::string, ImageOutputs> & strangers)
{
  const GaussianHead & head = network.gaussian_head();
  Json table = Json::array();
  const auto add = [&](const std::string & method, const Json & kept, const Pruning & pruning) {
    const auto pruned = pruned_head(head, pruning, network.config().head, false);
    const torch::Tensor index = torch::tensor(pruning.kept, torch::kInt64);
    const auto logits = [&](const ImageOutputs & outputs) {
      return pruned->class_logits(outputs.similarity.index_select(1, index));
    };
    const torch::Tensor known = logits(images);
    Json row{
      {"method", method},
      {"keep", kept},
      {"prototypes", pruned->prototypes()},
      {"accuracy", top_k_accuracy(known.log_softmax(1), images.labels)},
      {"ood", Json::object()}};
    const std::vector<double> in = numbers(energy(known));
    for (const auto & [name, outputs] : strangers) {
      const std::vector<double> out = numbers(energy(logits(outputs)));
      row["ood"][name] = {{"fpr95", fpr95(in, out)}, {"auroc", auroc(in, out)}};
    }
    table.push_back(row);
  };
  for (const int count : keep) {
    add("importance", count, most_important(head, count));
  }
  if (training) {
    PatchAgreement agreement(head);
    for (std::int64_t i = 0; i < training->labels.size(0); ++i) {
      agreement.add(training->similarity[i], training->labels[i].item<std::int64_t>());
    }
    add("purity", Json(), purest(head, agreement));
    for (const int count : keep) {
      add("merging", count, merged(head, agreement, count));
    }
  }
  return table;
}

Json interpretability_table(
  const Interpretability & found, const std::optional<PurityScore> & purity_train)
{
  return {
    {"consistency", or_null(found.consistency)},
    {"stability", or_null(found.stability)},
    {"purity", mean_or_null(found.purity)},
    {"purity_std", deviation_or_null(found.purity)},
    {"purity_train", mean_or_null(purity_train)},
    {"purity_train_std", deviation_or_null(purity_train)},
    {"oirr", or_null(found.oirr)},
    {"dauc", or_null(found.dauc)},
    {"diversity", or_null(found.diversity)}};
}

Json part_reference_table(const PartReferences & found)
{
  if (!found.centre.consistency) {
    return Json::object();
  }
  return {
    {"centre_consistency", or_null(found.centre.consistency)},
    {"centre_purity", mean_or_null(found.centre.purity)},
    {"part_consistency", or_null(found.features.consistency)},
    {"part_purity", mean_or_null(found.features.purity)},
    {"backbone_part_consistency", or_null(found.backbone.consistency)},
    {"backbone_part_purity", mean_or_null(found.backbone.purity)}};
}

}  // namespace mgproto
