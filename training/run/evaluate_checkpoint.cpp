// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/run/evaluate_checkpoint.hpp"

#include <torch/torch.h>

#include <cstdlib>

#include "datasets/garbage.hpp"
#include "mgproto_ros/error.hpp"
#include "model/checkpoint.hpp"
#include "model/decision.hpp"
#include "model/file_io.hpp"
#include "model/manifest_json.hpp"
#include "training/ground/calibration.hpp"
#include "training/ground/patch_agreement.hpp"
#include "training/ground/projection.hpp"
#include "training/measure/coverage.hpp"
#include "training/measure/interpret/interpretability.hpp"
#include "training/measure/interpret/part_references.hpp"
#include "training/measure/measure.hpp"
#include "training/measure/recognition.hpp"
#include "training/measure/score_table.hpp"
#include "training/report/evaluation_table.hpp"
#include "training/report/results_json.hpp"
#include "training/run/evaluation_cache.hpp"

namespace mgproto
{
namespace
{

/// What the training split is looked at for, as the cache keeps it: its ImageOutputs by name, and
/// these where it has parts.
using TrainingImages = EvaluationCache::Tensors;
constexpr const char * kPurity = "purity";  // mean and deviation
constexpr const char * kFeatureTemplates = "feature_templates";
constexpr const char * kBackboneTemplates = "backbone_templates";

std::string method_name(PruningMethod method)
{
  switch (method) {
    case PruningMethod::importance:
      return "importance";
    case PruningMethod::purity:
      return "purity";
    default:
      return "merging";
  }
}

class Evaluator
{
public:
  Evaluator(
    const std::string & model, const EvaluationOptions & options, const StepProgress & progress)
  : checkpoint_(load_checkpoint(model)),
    manifest_(checkpoint_.manifest),
    network_(*checkpoint_.network),
    options_(options),
    progress_(progress),
    cache_(options.cache),
    dataset_(open_for_model(manifest_, options.images, /*leave_out_others=*/true))
  {
    if (!network_.has_head() || network_.prototype_head() != nullptr) {
      // As the node runs it. ODIN, of a softmax head, takes gradients through the network.
      network_.prepare_for_inference();
      network_.pack_for_cpu();
    }
    if (dataset_.split != "all") {
      training_ = open_for_model(manifest_, {options.images.path, "train"}, true);
    } else if (options.project) {
      throw ConfigError("project", "needs data with a training split to take the patches from");
    }
    for (const auto & [name, path] : options.ood) {
      try {
        ood_[name] = open_ood(path);
      } catch (const Error & error) {
        unusable_[name] = error.what();
      }
    }
  }

  EvaluationText operator()()
  {
    const std::string key = result_key();
    const auto json = cache_.text(key, ".json");
    const auto table = cache_.text(key, ".txt");
    if (json && table && nlohmann::json::accept(*json) && options_.scores.empty()) {
      return {*json, *table, unusable_};
    }
    const Evaluation evaluation = evaluate();
    const EvaluationText text{
      evaluation_json(evaluation).dump(), evaluation_table(evaluation), unusable_};
    if (unusable_.size() + ood_.size() == options_.ood.size()) {  // all that were opened were read
      cache_.keep(key, ".json", text.json);
      cache_.keep(key, ".txt", text.table);
    }
    return text;
  }

private:
  /// All that the result depends on.
  std::string result_key() const
  {
    std::string key =
      model_key() + fingerprint(dataset_) + (training_ ? fingerprint(*training_) : "-");
    for (const auto & [name, path] : options_.ood) {
      const auto opened = ood_.find(name);
      key += "\n" + name + " " + (opened != ood_.end() ? fingerprint(opened->second) : "-");
    }
    key += "\n" + std::to_string(options_.garbage) + " " +
           std::to_string(options_.interpretability) + " " + std::to_string(options_.dauc_every) +
           " " + std::to_string(options_.belief_every) + " " + std::to_string(options_.project);
    for (const int keep : options_.prune) {
      key += " " + std::to_string(keep);
    }
    return key;
  }

  std::string model_key() const
  {
    return manifest_.tensors_sha256 + "\n" + to_json(manifest_) + "\n";
  }

  Evaluation evaluate()
  {
    Evaluation result;
    TrainingImages training = look_at_training_images();
    if (!network_.has_head() && training.empty()) {
      throw ConfigError("data", "a backbone alone needs a training split to take class means from");
    }
    MeasuredImages images;
    images.test =
      look_at_images({training[kFeatureTemplates], training[kBackboneTemplates]}, result);
    for (const auto & [name, dataset] : ood_) {
      try {
        Loader loader(dataset, loader_for_model(manifest_));
        images.ood[name] =
          collect(network_, loader, shown_as(progress_, name), columns_for_scores(network_, true));
      } catch (const Error & error) {
        unusable_[name] = error.what();
      }
    }
    const ImageOutputs known = ImageOutputs::from(training);
    if (network_.has_head()) {
      measure_network(images, known.labels.defined() ? &known : nullptr, result);
    } else {
      measure_backbone(images, known, result);
    }
    for (const auto & [name, error] : unusable_) {
      result.model.ood[name].error = error;
    }
    if (const torch::Tensor purity = training[kPurity]; purity.defined()) {
      result.purity_train = {purity[0].item<double>(), purity[1].item<double>()};
    }
    result.broken = dataset_.size() - result.count;
    result.left_out = dataset_.left_out;
    if (options_.project) {  // changes the network, and so comes last
      result.projected = project_and_measure();
    }
    return result;
  }

  /// What is fitted needs them, purity and the templates of parts; nothing if none is asked for. Kept
  /// in the cache, since another OoD set needs the same again.
  TrainingImages look_at_training_images()
  {
    const bool fits = !options_.ood.empty() || !options_.prune.empty() || !network_.has_head();
    const bool measures = options_.interpretability && training_ && !training_->part_names.empty();
    if (!training_ || !(fits || measures)) {
      return {};
    }
    const std::string key = model_key() + fingerprint(*training_) + (measures ? " parts" : "");
    if (const auto known = cache_.tensors(key)) {
      return *known;
    }
    OutputCollector outputs(columns_for_scores(network_, /*with_odin=*/false));
    const PrototypeHead * head = measures ? network_.prototype_head() : nullptr;
    Purity purity(head != nullptr ? head->prototypes() : 0);
    PartTemplateLearner learner(*training_);
    Loader loader(*training_, loader_for_model(manifest_));
    for_each_batch(
      network_, loader, shown_as(progress_, "training images"), [&](const BatchOutputs & batch) {
        outputs.add(batch);
        for (int b = 0; head != nullptr && b < batch.batch().count; ++b) {
          purity.add(observed_image(*head, batch, *training_, b));
        }
        if (measures) {
          learner.add(batch.batch(), batch.backbone_map(), batch.features());
        }
      });
    TrainingImages images = outputs.result().tensors();
    if (const auto found = purity.result()) {
      images[kPurity] = torch::tensor({found->mean, found->deviation}, torch::kFloat64);
    }
    if (measures) {
      const PartTemplates templates = learner.result();
      images[kBackboneTemplates] = templates.backbone;
      if (templates.features.defined()) {
        images[kFeatureTemplates] = templates.features;
      }
    }
    cache_.keep(key, images);
    return images;
  }

  /// One pass for everything that is measured on these images. Fills in how well they are explained.
  /// Templates may be undefined.
  ImageOutputs look_at_images(const PartTemplates & templates, Evaluation & result)
  {
    OutputCollector outputs(columns_for_scores(network_, !options_.ood.empty()));
    const PrototypeHead * head = network_.prototype_head();
    std::optional<InterpretabilityMeter> meter;
    if (options_.interpretability && head != nullptr) {
      meter.emplace(
        network_, dataset_,
        InterpretabilityOptions{
          manifest_.preprocessing, /*seed=*/0, options_.dauc_every, options_.belief_every,
          manifest_.prototypes});
    }
    std::optional<PartReferenceMeter> references;
    if (templates.backbone.defined()) {
      references.emplace(dataset_, templates);
    }
    Loader loader(dataset_, loader_for_model(manifest_));
    for_each_batch(
      network_, loader, shown_as(progress_, "images"), [&](const BatchOutputs & batch) {
        outputs.add(batch);
        if (meter) {
          meter->add(batch);
        }
        if (references) {
          references->add(batch.batch(), batch.backbone_map(), batch.features());
        }
      });
    if (meter) {
      result.interpretability = meter->result();
    } else if (head != nullptr) {
      result.interpretability.diversity = diversity(*head);
    }
    if (references) {
      result.part_references = references->result();
    }
    return outputs.result();
  }

  void measure_network(
    const MeasuredImages & images, const ImageOutputs * training, Evaluation & result)
  {
    const std::optional<DecisionRule> rule = decision_rule(network_, manifest_.calibration);
    std::vector<NamedScore> scores = named_scores(network_, training);
    add_joint_score(network_, manifest_.calibration, scores);
    result.model = measure_model(network_.prototype_head(), images, scores, rule);
    measure_recognition(images.test, manifest_.classes, network_.has_density(), rule, result);
    if (manifest_.calibration) {
      result.coverage =
        coverage_over_splits(answers_of(network_, images.test), *manifest_.calibration);
    }
    if (rule && options_.garbage > 0) {
      result.garbage = known_garbage(*rule);
    }
    if (!options_.scores.empty()) {
      write_scores(images, scores);
    }
    if (!options_.prune.empty()) {
      result.pruning =
        network_.has_density() ? pruned_models(images, training) : std::vector<ModelResult>();
    }
  }

  std::map<std::string, double> known_garbage(const DecisionRule & rule)
  {
    Dataset garbage;
    for (const std::string & kind : garbage_kinds()) {
      const Dataset of_kind = garbage_dataset(kind, options_.garbage);
      garbage.samples.insert(garbage.samples.end(), of_kind.samples.begin(), of_kind.samples.end());
    }
    Loader loader(garbage, loader_for_model(manifest_));
    const ImageOutputs images =
      collect(network_, loader, shown_as(progress_, "garbage"), columns_for_calibration());
    const torch::Tensor known = rule.score(images).ge(rule.threshold).to(torch::kFloat64);
    std::map<std::string, double> shares;
    for (std::size_t k = 0; k < garbage_kinds().size(); ++k) {
      const auto first = static_cast<std::int64_t>(k) * options_.garbage;
      shares[garbage_kinds()[k]] =
        known.slice(0, first, first + options_.garbage).mean().item<double>();
    }
    return shares;
  }

  void write_scores(const MeasuredImages & images, const std::vector<NamedScore> & scores) const
  {
    ScoreTable table(network_, scores);
    table.add(options_.images.split, dataset_, manifest_.classes, images.test);
    for (const auto & [name, outputs] : images.ood) {
      table.add(name, ood_.at(name), manifest_.classes, outputs);
    }
    write_atomically(options_.scores, {{table.text().data(), table.text().size()}});
  }

  /// Of a backbone to start training from: what its features are worth, by the nearest class mean and
  /// the scores that only need features.
  void measure_backbone(
    const MeasuredImages & images, const ImageOutputs & training, Evaluation & result)
  {
    const ImageOutputs & test = images.test;
    const torch::Tensor scores = nearest_mean_scores(
      training.features, training.labels, test.features,
      static_cast<std::int64_t>(dataset_.classes.size()));
    result.classifier = "nearest class mean";
    result.count = test.labels.size(0);
    result.model.accuracy = top_k_accuracy(scores, test.labels);
    result.top5 = top_k_accuracy(scores, test.labels, 5);
    result.model.ood = measure_ood(images, named_scores(network_, &training), {});
  }

  std::vector<ModelResult> pruned_models(
    const MeasuredImages & images, const ImageOutputs * training)
  {
    const GaussianHead & head = network_.gaussian_head();
    std::optional<PatchAgreement> agreement;
    if (training != nullptr) {
      agreement.emplace(head);
      for (std::int64_t i = 0; i < training->labels.size(0); ++i) {
        agreement->add(training->similarity[i], training->labels[i].item<std::int64_t>());
      }
    }
    std::vector<ModelResult> rows;
    for (const ComparedPruning & row : compared_prunings(head, options_.prune, agreement)) {
      const auto pruned = pruned_head(head, row.pruning, network_.config().head, false);
      rows.push_back(measure_model(
        pruned.get(), as_pruned(images, *pruned, row.pruning.kept),
        plain_scores(/*has_density=*/true), {}));
      rows.back().name = method_name(row.method);
      rows.back().keep = row.keep;
    }
    return rows;
  }

  ModelResult project_and_measure()
  {
    ModelResult result;
    if (network_.prototype_head() == nullptr) {
      return result;
    }
    Loader loader(*training_, loader_for_model(manifest_));
    result.distinct_patches =
      project(network_, *training_, loader, true, shown_as(progress_, "projecting"))
        .distinct_patches;
    Loader again(dataset_, loader_for_model(manifest_));
    result.accuracy = accuracy(network_, again, shown_as(progress_, "images after projection"));
    return result;
  }

  Checkpoint checkpoint_;
  const Manifest & manifest_;
  Network & network_;
  const EvaluationOptions & options_;
  const StepProgress & progress_;
  const EvaluationCache cache_;
  const Dataset dataset_;
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

EvaluationText evaluate_checkpoint(
  const std::string & model, const EvaluationOptions & options, const StepProgress & progress)
{
  const torch::NoGradGuard no_grad;
  return Evaluator(model, options, progress)();
}

}  // namespace mgproto
