// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/run/evaluate_checkpoint.hpp"

#include <torch/torch.h>

#include <cstdlib>

#include "mgproto_ros/error.hpp"
#include "model/checkpoint.hpp"
#include "model/manifest_json.hpp"
#include "training/data/dataset.hpp"
#include "training/evaluate/interpret/diversity.hpp"
#include "training/evaluate/interpret/part_references.hpp"
#include "training/evaluate/nearest_mean.hpp"
#include "training/evaluate/recognition.hpp"
#include "training/ground/projection.hpp"
#include "training/run/evaluation_cache.hpp"
#include "training/run/evaluation_tables.hpp"

namespace mgproto
{
namespace
{

using Json = nlohmann::ordered_json;

// In the cache.
constexpr const char * kPurity = "purity";
constexpr const char * kFeatureTemplates = "feature_templates";
constexpr const char * kBackboneTemplates = "backbone_templates";

struct TrainingImages
{
  std::optional<ImageOutputs> outputs;
  std::optional<PurityScore> purity;
  std::optional<PartTemplates> templates;
};

EvaluationCache::Tensors tensors_of(const TrainingImages & images)
{
  EvaluationCache::Tensors tensors = images.outputs->tensors();
  if (images.purity) {
    tensors[kPurity] =
      torch::tensor({images.purity->mean, images.purity->deviation}, torch::kFloat64);
  }
  if (images.templates) {
    tensors[kBackboneTemplates] = images.templates->backbone;
    if (images.templates->features.defined()) {
      tensors[kFeatureTemplates] = images.templates->features;
    }
  }
  return tensors;
}

TrainingImages training_images(const EvaluationCache::Tensors & tensors)
{
  TrainingImages images{ImageOutputs::from(tensors), {}, {}};
  if (const auto found = tensors.find(kPurity); found != tensors.end()) {
    images.purity = {found->second[0].item<double>(), found->second[1].item<double>()};
  }
  if (const auto found = tensors.find(kBackboneTemplates); found != tensors.end()) {
    const auto features = tensors.find(kFeatureTemplates);
    images.templates = {
      features != tensors.end() ? features->second : torch::Tensor(), found->second};
  }
  return images;
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
    if (!network().has_head() || network().prototype_head() != nullptr) {
      // As the node runs it. ODIN, of a softmax head, takes gradients through the network.
      network().prepare_for_inference();
      network().pack_for_cpu();
    }
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
    Json result = network().has_head() ? evaluate_network() : evaluate_backbone();
    result["broken"] = dataset_.size() - result["count"].get<std::int64_t>();
    result["left_out"] = dataset_.left_out;
    result["positive"] = "in-distribution";
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
  ImageOutputs see_images(
    const std::optional<PartTemplates> & templates, Interpretability & quality,
    PartReferences & references)
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
    std::optional<PartReferenceMeter> reference_meter;
    if (templates) {
      reference_meter.emplace(dataset_, *templates);
    }
    Loader loader(dataset_, loader_);
    for_each_batch(network(), loader, shown_as("images"), [&](const BatchAnswers & seen) {
      outputs.add(seen);
      if (meter) {
        meter->add(seen);
      }
      if (reference_meter) {
        reference_meter->add(seen);
      }
    });
    if (meter) {
      quality = meter->result();
    }
    if (reference_meter) {
      references = reference_meter->result();
    }
    return outputs.result();
  }

  /// What is fitted needs them, purity and the templates of parts; nothing if none is asked for. Kept
  /// in the cache, since another set to reject needs the same again.
  TrainingImages see_training_images()
  {
    const bool fits = !options_.ood.empty() || !options_.prune.empty() || !network().has_head();
    const bool measures = options_.interpretability && training_ && !training_->part_names.empty();
    if (!training_ || !(fits || measures)) {
      return {};
    }
    const std::string key = model_key() + fingerprint(*training_) + (measures ? " parts" : "");
    if (const auto known = cache_.tensors(key)) {
      return training_images(*known);
    }
    OutputCollector outputs(network(), false);
    std::optional<PurityMeter> meter;
    if (measures && has_quality()) {
      meter.emplace(*network().prototype_head(), *training_);
    }
    std::optional<PartTemplateLearner> learner;
    if (measures) {
      learner.emplace(*training_);
    }
    Loader loader(*training_, loader_);
    for_each_batch(network(), loader, shown_as("training images"), [&](const BatchAnswers & seen) {
      outputs.add(seen);
      if (meter) {
        meter->add(seen);
      }
      if (learner) {
        learner->add(seen);
      }
    });
    TrainingImages images{outputs.result(), {}, {}};
    if (meter) {
      images.purity = meter->result();
    }
    if (learner) {
      images.templates = learner->result();
    }
    cache_.keep(key, tensors_of(images));
    return images;
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

  Json evaluate_network()
  {
    const TrainingImages training = see_training_images();
    Interpretability quality;
    PartReferences references;
    const ImageOutputs images = see_images(training.templates, quality, references);

    Json result = recognition_table(images, checkpoint_.manifest, network().has_density());
    std::map<std::string, ImageOutputs> strangers;
    result["ood"] = rejections(training.outputs, images, strangers);
    result["interpretability"] = interpretability_table(quality, training.purity);
    result["interpretability"].update(part_reference_table(references));
    if (!options_.prune.empty()) {
      result["pruning"] =
        network().has_density()
          ? pruning_table(network(), options_.prune, images, training.outputs, strangers)
          : Json();
    }
    if (options_.project) {  // changes the network, and so comes last
      result["projected"] = network().prototype_head() != nullptr ? projected() : Json();
    }
    return result;
  }

  /// Of a backbone to start training from: what its features are worth, by the nearest class mean and
  /// the scores that only need features.
  Json evaluate_backbone()
  {
    const TrainingImages training = see_training_images();
    if (!training.outputs) {
      throw ConfigError("data", "a backbone alone needs a training split to take class means from");
    }
    Interpretability no_quality;
    PartReferences references;
    const ImageOutputs images = see_images(training.templates, no_quality, references);
    const auto classes = static_cast<std::int64_t>(dataset_.classes.size());
    const torch::Tensor scores = nearest_mean_scores(
      training.outputs->features, training.outputs->labels, images.features, classes);
    std::map<std::string, ImageOutputs> strangers;
    return {
      {"count", images.labels.size(0)},
      {"classifier", "nearest class mean"},
      {"accuracy", top_k_accuracy(scores, images.labels)},
      {"top5", top_k_accuracy(scores, images.labels, 5)},
      {"ece", Json()},
      {"cross_entropy", Json()},
      {"per_class", Json::array()},
      {"ood", rejections(training.outputs, images, strangers)},
      {"interpretability", part_reference_table(references)}};
  }

  /// "ood", and what was seen of the images of those sets that could be used.
  Json rejections(
    const std::optional<ImageOutputs> & training, const ImageOutputs & images,
    std::map<std::string, ImageOutputs> & strangers)
  {
    const std::vector<NamedScore> scores = named_scores(network(), training);
    Json result = Json::object();
    for (const auto & [name, path] : options_.ood) {
      try {
        strangers[name] = see_strangers(name);
        result[name] =
          rejection_table(scores, images, strangers[name], checkpoint_.manifest.calibration);
      } catch (const Error & error) {
        strangers.erase(name);
        result[name] = {{"error", error.what()}};
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
