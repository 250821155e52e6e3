// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/run/evaluate_checkpoint.hpp"

#include <torch/torch.h>

#include <cstdlib>
#include <functional>
#include <nlohmann/json.hpp>

#include "mgproto_ros/error.hpp"
#include "model/checkpoint.hpp"
#include "model/heads/softmax_head.hpp"
#include "model/manifest_json.hpp"
#include "training/data/dataset.hpp"
#include "training/evaluate/interpret/diversity.hpp"
#include "training/evaluate/interpret/interpretability.hpp"
#include "training/evaluate/nearest_mean.hpp"
#include "training/evaluate/ood/energy.hpp"
#include "training/evaluate/ood/gem.hpp"
#include "training/evaluate/ood/gen.hpp"
#include "training/evaluate/ood/image_outputs.hpp"
#include "training/evaluate/ood/knn.hpp"
#include "training/evaluate/ood/mahalanobis.hpp"
#include "training/evaluate/ood/max_logit.hpp"
#include "training/evaluate/ood/msp.hpp"
#include "training/evaluate/ood/precision_recall.hpp"
#include "training/evaluate/ood/react.hpp"
#include "training/evaluate/ood/vim.hpp"
#include "training/evaluate/ood_metrics.hpp"
#include "training/evaluate/recognition.hpp"
#include "training/evaluate/risk_coverage.hpp"
#include "training/ground/patch_agreement.hpp"
#include "training/ground/projection.hpp"
#include "training/ground/pruning.hpp"
#include "training/run/evaluation_cache.hpp"

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
constexpr const char * kPurity = "purity";  // in the cache

std::vector<double> numbers(const torch::Tensor & tensor)
{
  const torch::Tensor values = tensor.to(torch::kFloat64).contiguous();
  return {values.data_ptr<double>(), values.data_ptr<double>() + values.numel()};
}

Json or_null(const std::optional<double> & value) { return value ? Json(*value) : Json(); }

NamedScores scores_of(Network & network, const std::optional<ImageOutputs> & training)
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
  const auto * softmax = dynamic_cast<const SoftmaxHead *>(&network.head());
  NamedScores scores{
    {kLogDensity, network.has_density() ? Score(of_logits(energy)) : nullptr},
    {kMsp, of_logits(msp)},
    {"maxlogit", of_logits(max_logit)},
    {"energy", of_logits(energy)},
    {"gen", of_logits(gen)},
    {"mahalanobis", fitted([](const ImageOutputs & images) { return Mahalanobis(images); })},
    {"knn", fitted([](const ImageOutputs & images) { return Knn(images); })},
    {"gem", fitted([](const ImageOutputs & images) { return Gem(images); })},
    {"vim", fitted([&](const ImageOutputs & images) {
       return softmax != nullptr ? Vim(images, softmax->weight, softmax->bias) : Vim(images);
     })}};
  if (softmax != nullptr) {
    Score react;
    if (training) {
      react = [softmax,
               threshold = react_threshold(training->features)](const ImageOutputs & images) {
        return react_energy(images.features, softmax->weight, softmax->bias, threshold);
      };
    }
    scores.emplace_back("react", react);
    scores.emplace_back("ash", [](const ImageOutputs & images) { return images.ash; });
    scores.emplace_back("odin", [](const ImageOutputs & images) { return images.odin; });
  }
  return scores;
}

class Evaluator
{
public:
  Evaluator(
    const std::string & model, const EvaluationOptions & options, const StepProgress & progress)
  : checkpoint_(load_checkpoint(model)),
    options_(options),
    progress_(progress),
    cache_(options.cache)
  {
    loader_.preprocessing = checkpoint_.manifest.preprocessing;
    loader_.batch_size = 32;
    dataset_ = open(options_.images.path, options_.images.split, true);
    if (dataset_.split != "all") {
      training_ = open(options_.images.path, "train", true);
    } else if (options_.project) {
      throw ConfigError("project", "needs data with a training split to take the patches from");
    }
    for (const auto & [name, path] : options_.ood) {
      try {
        ood_[name] = open(path, "all", false);
      } catch (const Error & error) {
        unusable_[name] = error.what();
      }
    }
  }

  Json evaluate()
  {
    const std::string key = result_key();
    if (auto known = cache_.result(key)) {
      return *known;
    }
    if (!network().has_head()) {
      Json result = evaluate_backbone();
      cache_.keep(key, result);
      return result;
    }
    Interpretability quality;
    const ImageOutputs images = see_images(quality);
    std::optional<PurityScore> purity_train;
    const std::optional<ImageOutputs> training = see_training_images(purity_train);
    const NamedScores scores = scores_of(network(), training);

    Json result = recognition(images);
    std::map<std::string, ImageOutputs> strangers;
    result["ood"] = Json::object();
    for (const auto & [name, path] : options_.ood) {
      try {
        strangers[name] = see_strangers(name);
        result["ood"][name] = rejection(scores, images, strangers[name]);
      } catch (const Error & error) {
        strangers.erase(name);
        result["ood"][name] = {{"error", error.what()}};
      }
    }
    result["interpretability"] = interpretability(quality, purity_train);
    if (!options_.prune.empty()) {
      result["pruning"] =
        network().has_density() ? pruning_table(images, training, strangers) : Json();
    }
    if (options_.project) {  // changes the network, and so comes last
      result["projected"] = network().prototype_head() != nullptr ? projected() : Json();
    }
    cache_.keep(key, result);
    return result;
  }

private:
  Network & network() { return *checkpoint_.network; }

  Dataset open(const std::string & path, const std::string & split, bool labelled) const
  {
    DatasetOptions options;
    options.evaluation = true;
    options.labelled = labelled;
    if (labelled) {
      options.classes = checkpoint_.manifest.classes;
      options.leave_out_others = true;
    }
    return open_dataset(path, split, options);
  }

  /// All that the result depends on.
  std::string result_key() const
  {
    std::string key =
      model_key() + fingerprint(dataset_) + (training_ ? fingerprint(*training_) : "-");
    for (const auto & [name, path] : options_.ood) {
      const auto opened = ood_.find(name);
      key += "\n" + name + " " + (opened != ood_.end() ? fingerprint(opened->second) : "-");
    }
    key += "\n" + std::to_string(options_.interpretability) + " " +
           std::to_string(options_.dauc_every) + " " + std::to_string(options_.project);
    for (const int keep : options_.prune) {
      key += " " + std::to_string(keep);
    }
    return key;
  }

  std::string model_key() const
  {
    return checkpoint_.manifest.tensors_sha256 + "\n" + to_json(checkpoint_.manifest) + "\n";
  }

  Progress shown_as(const std::string & what) const
  {
    return [this, what](std::int64_t done, std::int64_t total) { progress_(what, done, total); };
  }

  bool has_quality() { return options_.interpretability && network().prototype_head() != nullptr; }

  /// One pass for everything that is measured on these images.
  ImageOutputs see_images(Interpretability & quality)
  {
    OutputCollector outputs(network(), !options_.ood.empty());
    std::optional<InterpretabilityMeter> meter;
    if (const PrototypeHead * head = network().prototype_head()) {
      quality.diversity = diversity(*head);
    }
    if (has_quality() && !dataset_.part_names.empty()) {
      InterpretabilityOptions options;
      options.preprocessing = loader_.preprocessing;
      options.dauc_stride = options_.dauc_every;
      meter.emplace(network(), dataset_, options);
    }
    Loader loader(dataset_, loader_);
    for_each_batch(network(), loader, shown_as("images"), [&](const BatchAnswers & seen) {
      outputs.add(seen);
      if (meter) {
        meter->add(seen);
      }
    });
    if (meter) {
      quality = meter->result();
    }
    return outputs.result();
  }

  /// What is fitted needs them, and purity; nothing if neither is asked for. Kept in the cache, since
  /// another set to reject needs the same again.
  std::optional<ImageOutputs> see_training_images(std::optional<PurityScore> & purity)
  {
    const bool fits = !options_.ood.empty() || !options_.prune.empty() || !network().has_head();
    const bool measures = has_quality() && training_ && !training_->part_names.empty();
    if (!training_ || !(fits || measures)) {
      return std::nullopt;
    }
    const std::string key = model_key() + fingerprint(*training_) + (measures ? " purity" : "");
    if (const auto known = cache_.tensors(key)) {
      if (measures) {
        const torch::Tensor & numbers = known->at(kPurity);
        purity = PurityScore{numbers[0].item<double>(), numbers[1].item<double>()};
      }
      return ImageOutputs::from(*known);
    }
    OutputCollector outputs(network(), false);
    std::optional<PurityMeter> meter;
    if (measures) {
      meter.emplace(*network().prototype_head(), *training_);
    }
    Loader loader(*training_, loader_);
    for_each_batch(network(), loader, shown_as("training images"), [&](const BatchAnswers & seen) {
      outputs.add(seen);
      if (meter) {
        meter->add(seen);
      }
    });
    EvaluationCache::Tensors tensors = outputs.result().tensors();
    if (meter && meter->result()) {
      purity = meter->result();
      tensors[kPurity] = torch::tensor({purity->mean, purity->deviation}, torch::kFloat64);
    }
    if (!measures || purity) {
      cache_.keep(key, tensors);
    }
    return ImageOutputs::from(tensors);
  }

  ImageOutputs see_strangers(const std::string & name)
  {
    if (unusable_.count(name) != 0) {
      throw Error(unusable_.at(name));
    }
    OutputCollector outputs(network(), true);
    Loader loader(ood_.at(name), loader_);
    for_each_batch(
      network(), loader, shown_as(name), [&](const BatchAnswers & seen) { outputs.add(seen); });
    return outputs.result();
  }

  /// Of a backbone to start training from: what its features are worth, by the nearest class mean and
  /// the scores that only need features.
  Json evaluate_backbone()
  {
    std::optional<PurityScore> none;
    const std::optional<ImageOutputs> training = see_training_images(none);
    if (!training) {
      throw ConfigError("data", "a backbone alone needs a training split to take class means from");
    }
    Interpretability nothing;
    const ImageOutputs images = see_images(nothing);
    const auto classes = static_cast<std::int64_t>(dataset_.classes.size());
    const torch::Tensor scores =
      nearest_mean_scores(training->features, training->labels, images.features, classes);
    Json result{
      {"count", images.labels.size(0)},
      {"classifier", "nearest class mean"},
      {"accuracy", top_k_accuracy(scores, images.labels)},
      {"top5", top_k_accuracy(scores, images.labels, 5)},
      {"ece", Json()},
      {"cross_entropy", Json()},
      {"broken", dataset_.size() - images.labels.size(0)},
      {"left_out", dataset_.left_out},
      {"per_class", Json::array()},
      {"positive", "in-distribution"},
      {"ood", Json::object()},
      {"interpretability", Json::object()}};
    const Mahalanobis mahalanobis(*training);
    const Knn knn(*training);
    const Gem gem(*training);
    const NamedScores of_features{
      {"mahalanobis", [&](const ImageOutputs & of) { return mahalanobis.score(of); }},
      {"knn", [&](const ImageOutputs & of) { return knn.score(of); }},
      {"gem", [&](const ImageOutputs & of) { return gem.score(of); }}};
    for (const auto & [name, path] : options_.ood) {
      try {
        result["ood"][name] = rejection(of_features, images, see_strangers(name));
      } catch (const Error & error) {
        result["ood"][name] = {{"error", error.what()}};
      }
    }
    return result;
  }

  Json projected()
  {
    Loader loader(*training_, loader_);
    const double distinct =
      project(network(), *training_, loader, true, shown_as("projecting")).distinct_patches;
    Loader again(dataset_, loader_);
    const Scores scores = score(network(), again, shown_as("images after projection"));
    return {{"accuracy", scores.accuracy()}, {"distinct_patches", distinct}};
  }

  /// From the similarities already seen: pruning takes prototypes away and changes none.
  Json pruning_table(
    const ImageOutputs & images, const std::optional<ImageOutputs> & training,
    const std::map<std::string, ImageOutputs> & strangers)
  {
    const GaussianHead & head = network().gaussian_head();
    Json table = Json::array();
    const auto add = [&](const std::string & method, const Json & keep, const Pruning & pruning) {
      const auto pruned = pruned_head(head, pruning, network().config().head, false);
      const torch::Tensor kept = torch::tensor(pruning.kept, torch::kInt64);
      const auto logits = [&](const ImageOutputs & outputs) {
        return pruned->class_logits(outputs.similarity.index_select(1, kept));
      };
      const torch::Tensor known = logits(images);
      Json row{
        {"method", method},
        {"keep", keep},
        {"prototypes", pruned->prototypes()},
        {"accuracy", top_k_accuracy(known.log_softmax(1), images.labels)},
        {"ood", Json::object()}};
      for (const auto & [name, outputs] : strangers) {
        const std::vector<double> in = numbers(energy(known));
        const std::vector<double> out = numbers(energy(logits(outputs)));
        row["ood"][name] = {{"fpr95", fpr95(in, out)}, {"auroc", auroc(in, out)}};
      }
      table.push_back(row);
    };
    for (const int keep : options_.prune) {
      add("importance", keep, most_important(head, keep));
    }
    if (training) {
      PatchAgreement agreement(head);
      for (std::int64_t i = 0; i < training->labels.size(0); ++i) {
        agreement.add(training->similarity[i], training->labels[i].item<std::int64_t>());
      }
      add("purity", Json(), purest(head, agreement));
      for (const int keep : options_.prune) {
        add("merging", keep, merged(head, agreement, keep));
      }
    }
    return table;
  }

  Json recognition(const ImageOutputs & images)
  {
    const torch::Tensor log_posterior = images.logits.log_softmax(1);
    const std::vector<double> log_density = numbers(energy(images.logits));
    Json result{
      {"count", images.labels.size(0)},
      {"accuracy", top_k_accuracy(log_posterior, images.labels)},
      {"top5", top_k_accuracy(log_posterior, images.labels, 5)},
      {"ece", expected_calibration_error(log_posterior, images.labels)},
      {"cross_entropy", cross_entropy(log_posterior, images.labels)},
      {"broken", dataset_.size() - images.labels.size(0)},
      {"left_out", dataset_.left_out},
      {"per_class", Json::array()}};
    const auto accuracy = class_accuracy(log_posterior, images.labels);
    for (std::size_t c = 0; c < accuracy.size(); ++c) {
      result["per_class"].push_back(
        {{"name", checkpoint_.manifest.classes[c]},
         {"count", images.labels.eq(static_cast<std::int64_t>(c)).sum().item<std::int64_t>()},
         {"accuracy", or_null(accuracy[c])}});
    }
    result["confusion"] = confusion(log_posterior.argmax(1), images.labels);
    if (const auto & calibration = checkpoint_.manifest.calibration) {
      result["calibrated"] = {
        {"threshold", calibration->threshold},
        {"tpr", share_at_or_above(log_density, calibration->threshold)}};
    }
    const torch::Tensor is_right = log_posterior.argmax(1).eq(images.labels).contiguous();
    const std::vector<bool> right(
      is_right.data_ptr<bool>(), is_right.data_ptr<bool>() + is_right.numel());
    result["selective"] = {
      {kLogDensity, network().has_density() ? selective(log_density, right) : Json()},
      {kMsp, selective(numbers(msp(images.logits)), right)}};
    result["positive"] = "in-distribution";
    return result;
  }

  Json confusion(const torch::Tensor & predicted, const torch::Tensor & labels) const
  {
    Scores answers;
    const auto values = [](const torch::Tensor & tensor) {
      const torch::Tensor whole = tensor.contiguous();
      return std::vector<std::int64_t>(
        whole.data_ptr<std::int64_t>(), whole.data_ptr<std::int64_t>() + whole.numel());
    };
    answers.predicted = values(predicted);
    answers.label = values(labels);
    return answers.confusion(static_cast<std::int64_t>(checkpoint_.manifest.classes.size()));
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

  static Json interpretability(
    const Interpretability & found, const std::optional<PurityScore> & purity_train)
  {
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
  const EvaluationCache cache_;
  LoaderConfig loader_;
  Dataset dataset_;
  std::optional<Dataset> training_;              // none in data without splits
  std::map<std::string, Dataset> ood_;           // those that could be opened
  std::map<std::string, std::string> unusable_;  // why the others could not
};

}  // namespace

std::string evaluation_cache_directory()
{
  for (const auto & [variable, below] :
       {std::pair("XDG_CACHE_HOME", ""), std::pair("HOME", "/.cache")}) {
    const char * value = std::getenv(variable);
    if (value != nullptr && *value != '\0') {
      return std::string(value) + below + "/mgproto_ros";
    }
  }
  return "";
}

nlohmann::ordered_json evaluate_checkpoint(
  const std::string & model, const EvaluationOptions & options, const StepProgress & progress)
{
  const torch::NoGradGuard no_grad;
  return Evaluator(model, options, progress).evaluate();
}

}  // namespace mgproto
