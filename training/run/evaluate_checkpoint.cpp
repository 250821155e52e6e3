// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/run/evaluate_checkpoint.hpp"

#include <torch/torch.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "mgproto_ros/error.hpp"
#include "model/checkpoint.hpp"
#include "training/data/dataset.hpp"
#include "training/evaluate/interpret/diversity.hpp"
#include "training/evaluate/interpret/interpretability.hpp"
#include "training/evaluate/ood/energy.hpp"
#include "training/evaluate/ood/gem.hpp"
#include "training/evaluate/ood/gen.hpp"
#include "training/evaluate/ood/image_outputs.hpp"
#include "training/evaluate/ood/knn.hpp"
#include "training/evaluate/ood/mahalanobis.hpp"
#include "training/evaluate/ood/max_logit.hpp"
#include "training/evaluate/ood/msp.hpp"
#include "training/evaluate/ood/precision_recall.hpp"
#include "training/evaluate/ood/vim.hpp"
#include "training/evaluate/ood_metrics.hpp"
#include "training/evaluate/recognition.hpp"
#include "training/evaluate/risk_coverage.hpp"

namespace mgproto
{
namespace
{

using Json = nlohmann::ordered_json;
using Score = std::function<torch::Tensor(const ImageOutputs &)>;
/// In the order of the tables; no function where nothing could be fitted.
using NamedScores = std::vector<std::pair<std::string, Score>>;

constexpr const char * kLogDensity = "log_density";
constexpr const char * kMsp = "msp";

std::vector<double> numbers(const torch::Tensor & tensor)
{
  const torch::Tensor values = tensor.to(torch::kFloat64).contiguous();
  return {values.data_ptr<double>(), values.data_ptr<double>() + values.numel()};
}

Json or_null(const std::optional<double> & value) { return value ? Json(*value) : Json(); }

NamedScores scores_of(const std::optional<ImageOutputs> & training)
{
  const auto of_logits = [](torch::Tensor (*score)(const torch::Tensor &)) {
    return [score](const ImageOutputs & images) { return score(images.logits); };
  };
  const auto fitted = [&](auto make) -> Score {
    if (!training) {
      return nullptr;
    }
    return [score = make(*training)](const ImageOutputs & images) { return score.score(images); };
  };
  return {
    {kLogDensity, of_logits(energy)},
    {kMsp, of_logits(msp)},
    {"maxlogit", of_logits(max_logit)},
    {"energy", of_logits(energy)},
    {"gen", of_logits(gen)},
    {"mahalanobis", fitted([](const ImageOutputs & images) { return Mahalanobis(images); })},
    {"knn", fitted([](const ImageOutputs & images) { return Knn(images); })},
    {"gem", fitted([](const ImageOutputs & images) { return Gem(images); })},
    {"vim", fitted([](const ImageOutputs & images) { return Vim(images); })}};
}

class Evaluator
{
public:
  Evaluator(
    const std::string & model, const EvaluationOptions & options, const StepProgress & progress)
  : checkpoint_(load_checkpoint(model)), options_(options), progress_(progress)
  {
    if (!checkpoint_.network->has_head()) {
      throw FileError(model, "holds only a backbone, no prototypes");
    }
    loader_.preprocessing = checkpoint_.manifest.preprocessing;
    loader_.batch_size = 32;
  }

  Json evaluate()
  {
    const Dataset dataset = open(options_.images.path, options_.images.split, true);
    const ImageOutputs images = pass("images", dataset);
    Json result = recognition(dataset, images);
    const auto training = training_outputs(dataset);
    const NamedScores scores = scores_of(training);
    result["ood"] = Json::object();
    for (const auto & [name, path] : options_.ood) {
      try {
        result["ood"][name] = rejection(scores, images, pass(name, open(path, "all", false)));
      } catch (const Error & error) {
        result["ood"][name] = {{"error", error.what()}};
      }
    }
    result["interpretability"] = interpretability(dataset);
    return result;
  }

private:
  Dataset open(const std::string & path, const std::string & split, bool labelled) const
  {
    DatasetOptions options;
    options.evaluation = true;
    options.labelled = labelled;
    if (labelled) {
      options.classes = checkpoint_.manifest.classes;
    }
    return open_dataset(path, split, options);
  }

  Progress shown_as(const std::string & what) const
  {
    return [this, what](std::int64_t done, std::int64_t total) { progress_(what, done, total); };
  }

  ImageOutputs pass(const std::string & what, const Dataset & dataset)
  {
    Loader loader(dataset, loader_);
    return image_outputs(*checkpoint_.network, loader, shown_as(what));
  }

  std::optional<ImageOutputs> training_outputs(const Dataset & evaluated)
  {
    if (options_.ood.empty() || evaluated.split == "all") {
      return std::nullopt;
    }
    return pass("training images", open(options_.images.path, "train", true));
  }

  Json recognition(const Dataset & dataset, const ImageOutputs & images) const
  {
    const torch::Tensor log_posterior = images.logits.log_softmax(1);
    const std::vector<double> log_density = numbers(energy(images.logits));
    Json result{
      {"count", images.labels.size(0)},
      {"accuracy", top_k_accuracy(log_posterior, images.labels)},
      {"top5", top_k_accuracy(log_posterior, images.labels, 5)},
      {"ece", expected_calibration_error(log_posterior, images.labels)},
      {"cross_entropy", cross_entropy(log_posterior, images.labels)},
      {"broken", dataset.size() - images.labels.size(0)},
      {"per_class", Json::array()}};
    const auto accuracy = class_accuracy(log_posterior, images.labels);
    for (std::size_t c = 0; c < accuracy.size(); ++c) {
      result["per_class"].push_back(
        {{"name", checkpoint_.manifest.classes[c]},
         {"count", images.labels.eq(static_cast<std::int64_t>(c)).sum().item<std::int64_t>()},
         {"accuracy", or_null(accuracy[c])}});
    }
    if (const auto & calibration = checkpoint_.manifest.calibration) {
      result["calibrated"] = {
        {"threshold", calibration->threshold},
        {"tpr", share_at_or_above(log_density, calibration->threshold)}};
    }
    const torch::Tensor is_right = log_posterior.argmax(1).eq(images.labels);
    std::vector<bool> right;
    for (std::int64_t i = 0; i < is_right.size(0); ++i) {
      right.push_back(is_right[i].item<bool>());
    }
    result["selective"] = {
      {kLogDensity, selective(log_density, right)},
      {kMsp, selective(numbers(msp(images.logits)), right)}};
    return result;
  }

  static Json selective(const std::vector<double> & score, const std::vector<bool> & right)
  {
    Json curve = Json::array();
    for (const RiskPoint & point : risk_coverage(score, right)) {
      curve.push_back({point.coverage, point.accuracy});
    }
    return {{"aurc", area_under_risk_coverage(score, right)}, {"curve", curve}};
  }

  Json rejection(
    const NamedScores & scores, const ImageOutputs & known, const ImageOutputs & strange) const
  {
    Json result{{"count", strange.labels.size(0)}, {"passed", Json()}, {"scores", Json::object()}};
    if (const auto & calibration = checkpoint_.manifest.calibration) {
      result["passed"] = share_at_or_above(numbers(energy(strange.logits)), calibration->threshold);
    }
    for (const auto & [name, score] : scores) {
      if (!score) {
        result["scores"][name] = Json();
        continue;
      }
      const std::vector<double> in = numbers(score(known));
      const std::vector<double> out = numbers(score(strange));
      result["scores"][name] = {
        {"fpr95", fpr95(in, out)},
        {"auroc", auroc(in, out)},
        {"aupr_in", aupr_in(in, out)},
        {"aupr_out", aupr_out(in, out)}};
    }
    return result;
  }

  Json interpretability(const Dataset & dataset)
  {
    Interpretability found;
    std::optional<PurityScore> purity_train;
    found.diversity = diversity(checkpoint_.network->head());
    if (options_.interpretability && !dataset.part_names.empty()) {
      InterpretabilityOptions options;
      options.preprocessing = loader_.preprocessing;
      options.dauc_stride = options_.dauc_every;
      Loader loader(dataset, loader_);
      found = measure_interpretability(
        *checkpoint_.network, dataset, loader, options, shown_as("parts and masks"));
      if (dataset.split != "all") {
        const Dataset training = open(options_.images.path, "train", true);
        Loader training_loader(training, loader_);
        purity_train = measure_purity(
          *checkpoint_.network, training, training_loader, shown_as("parts of training images"));
      }
    }
    const auto mean = [](const std::optional<PurityScore> & purity) {
      return purity ? Json(purity->mean) : Json();
    };
    const auto deviation = [](const std::optional<PurityScore> & purity) {
      return purity ? Json(purity->deviation) : Json();
    };
    return {
      {"consistency", or_null(found.consistency)},
      {"stability", or_null(found.stability)},
      {"purity", mean(found.purity)},
      {"purity_std", deviation(found.purity)},
      {"purity_train", mean(purity_train)},
      {"purity_train_std", deviation(purity_train)},
      {"oirr", or_null(found.oirr)},
      {"dauc", or_null(found.dauc)},
      {"diversity", or_null(found.diversity)}};
  }

  Checkpoint checkpoint_;
  const EvaluationOptions & options_;
  const StepProgress & progress_;
  LoaderConfig loader_;
};

}  // namespace

nlohmann::ordered_json evaluate_checkpoint(
  const std::string & model, const EvaluationOptions & options, const StepProgress & progress)
{
  const torch::NoGradGuard no_grad;
  return Evaluator(model, options, progress).evaluate();
}

}  // namespace mgproto
