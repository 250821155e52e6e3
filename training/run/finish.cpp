// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/run/finish.hpp"

#include <torch/torch.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "model/checkpoint.hpp"
#include "model/file_io.hpp"
#include "training/evaluate/interpret/diversity.hpp"
#include "training/evaluate/ood_metrics.hpp"
#include "training/evaluate/scores.hpp"
#include "training/ground/calibration.hpp"
#include "training/ground/last_layer.hpp"
#include "training/ground/patch_agreement.hpp"
#include "training/ground/projection.hpp"
#include "training/ground/pruning.hpp"
#include "training/run/base64.hpp"

namespace mgproto
{
namespace
{

using nlohmann::json;

/// A model on the way from the last epoch to the final checkpoint.
struct Step
{
  std::string name;
  std::shared_ptr<Network> network;
  Manifest manifest;
  json distinct_patches;
};

/// Everything that is measured of one model.
struct Evaluation
{
  Scores test;
  Scores calibration;
  std::map<std::string, Scores> ood;
  std::optional<Calibration> calibrated;  // none without p(x)
};

class Finish
{
public:
  Finish(
    const TrainingConfig & config, const TrainingData & data, const TrainingObserver & observer)
  : config_(config), data_(data), observer_(observer)
  {
  }

  /// Steps differ in their heads alone: one pass over the images is enough for all.
  std::vector<Evaluation> evaluate(const std::vector<Step> & steps)
  {
    std::vector<std::shared_ptr<Network>> models;
    for (const Step & step : steps) {
      models.push_back(step.network);
    }
    std::vector<Evaluation> evaluations(models.size());
    const auto score_set = [&](const std::string & name, const Dataset & dataset, auto member) {
      std::vector<Scores> scores = score_models("measuring: " + name, models, dataset);
      for (std::size_t i = 0; i < models.size(); ++i) {
        member(evaluations[i]) = std::move(scores[i]);
      }
    };
    score_set("test", data_.test, [](Evaluation & one) -> Scores & { return one.test; });
    score_set("calibration", data_.calibration, [](Evaluation & one) -> Scores & {
      return one.calibration;
    });
    for (const auto & [name, dataset] : data_.ood) {
      score_set(
        name, dataset, [&key = name](Evaluation & one) -> Scores & { return one.ood[key]; });
    }
    for (std::size_t i = 0; i < models.size(); ++i) {
      if (models[i]->has_density()) {
        evaluations[i].calibrated = calibrate(
          evaluations[i].calibration.log_density, config_.finish.tpr,
          config_.network.preprocessing);
      }
    }
    return evaluations;
  }

  json row(const Step & step, const Evaluation & evaluation)
  {
    Network & network = *step.network;
    json result{
      {"name", step.name},
      {"accuracy", evaluation.test.accuracy()},
      {"prototypes", nullptr},
      {"mean_pairwise_distance", nullptr},
      {"distinct_patches", step.distinct_patches},
      {"score", network.has_density() ? "log_density" : "energy"},
      {"threshold", nullptr},
      {"tpr_test", nullptr},
      {"ood", json::object()}};
    if (const PrototypeHead * head = network.prototype_head()) {
      result["prototypes"] = head->prototypes();
      const auto distance = diversity(*head);
      result["mean_pairwise_distance"] = distance ? json(*distance) : json();
    }
    if (evaluation.calibrated) {
      const double threshold = evaluation.calibrated->threshold;
      result["threshold"] = threshold;
      result["tpr_test"] = share_at_or_above(evaluation.test.log_density, threshold);
    }
    std::string line = step.name + ": accuracy " + percent(evaluation.test.accuracy());
    for (const auto & [name, scores] : evaluation.ood) {
      const double fpr = fpr95(evaluation.test.log_density, scores.log_density);
      const double area = auroc(evaluation.test.log_density, scores.log_density);
      result["ood"][name] = {
        {"fpr95", fpr},
        {"auroc", area},
        {"msp_auroc", auroc(evaluation.test.max_posterior, scores.max_posterior)},
        {"passed_at_threshold", nullptr}};
      if (evaluation.calibrated) {
        result["ood"][name]["passed_at_threshold"] =
          share_at_or_above(scores.log_density, evaluation.calibrated->threshold);
      }
      line += ", " + name + " FPR95 " + percent(fpr) + " AUROC " + percent(area);
    }
    observer_.say(line);
    return result;
  }

  PatchAgreement look_at_training_patches(Network & network)
  {
    Loader loader(data_.train, evaluation_loader(config_));
    return patch_agreement(network, loader, [&](std::int64_t done, std::int64_t total) {
      observer_.progress("looking at training patches", done, total, "");
    });
  }

private:
  std::vector<Scores> score_models(
    const std::string & what, const std::vector<std::shared_ptr<Network>> & models,
    const Dataset & dataset)
  {
    std::vector<const Head *> heads;
    for (const auto & model : models) {
      heads.push_back(&model->head());
    }
    Loader loader(dataset, evaluation_loader(config_));
    return score_heads(*models.front(), heads, loader, [&](std::int64_t done, std::int64_t total) {
      observer_.progress(what, done, total, "");
    });
  }

  static std::string percent(double share)
  {
    char text[32];
    std::snprintf(text, sizeof(text), "%.1f %%", 100 * share);
    return text;
  }

  const TrainingConfig & config_;
  const TrainingData & data_;
  const TrainingObserver & observer_;
};

json prototypes_json(const PrototypeHead & head, const Projection & projection)
{
  const auto * mixtures = dynamic_cast<const GaussianHead *>(&head);
  json list = json::array();
  for (std::int64_t k = 0; k < head.prototypes(); ++k) {
    json entry{
      {"prototype", k},
      {"class_id", head.prototype_class()[k]},
      {"prior", mixtures != nullptr ? json(mixtures->priors[k].item<float>()) : json()}};
    if (const auto & source = projection.prototypes[k]) {
      entry["image"] = source->image;
      entry["row"] = source->row;
      entry["col"] = source->col;
      entry["box"] = {source->box.x, source->box.y, source->box.width, source->box.height};
      entry["patch"] = base64(source->patch);
      entry["heat"] = base64(projection.heat[k]);
    }
    list.push_back(entry);
  }
  return list;
}

/// What becomes of projected mixtures: concentrated and pruned ones, added to `steps`. Returns which
/// of all is the final one.
std::size_t add_concentrated_and_pruned(
  const TrainingConfig & config, Finish & finish, std::vector<Step> & steps)
{
  if (config.finish.concentration > 0) {
    Step step = steps.back();
    step.name = "concentrated";
    step.network = with_concentration(*step.network, config.finish.concentration);
    steps.push_back(step);
  }
  std::size_t final = steps.size() - 1;
  const std::shared_ptr<Network> whole = steps.back().network;
  const Manifest manifest = steps.back().manifest;
  const GaussianHead & head = whole->gaussian_head();
  const auto add_pruned = [&](const std::string & name, const Pruning & pruning) {
    const auto pruned = with_head(
      *whole, pruned_head(head, pruning, whole->config().head, config.finish.renormalize));
    steps.push_back({name, pruned, pruned_manifest(manifest, pruning.kept), nullptr});
  };
  for (const int keep : config.finish.prune) {
    add_pruned("pruned to " + std::to_string(keep), most_important(head, keep));
    if (keep == config.finish.keep) {
      final = steps.size() - 1;
    }
  }
  if (config.finish.compare_pruning) {
    const PatchAgreement agreement = finish.look_at_training_patches(*whole);
    add_pruned("pruned by purity", purest(head, agreement));
    for (const int keep : config.finish.prune) {
      add_pruned("merged to " + std::to_string(keep), merged(head, agreement, keep));
    }
  }
  return final;
}

}  // namespace

LoaderConfig evaluation_loader(const TrainingConfig & config)
{
  LoaderConfig loader;
  loader.preprocessing = config.network.preprocessing;
  loader.batch_size = config.schedule.batch;
  loader.workers = config.data.workers;
  loader.strict = config.data.strict;
  return loader;
}

Projection project_hard(
  const TrainingConfig & config, Network & network, const Dataset & train,
  const TrainingObserver & observer)
{
  const auto shown_as = [&](const std::string & what) {
    return [&observer, what](std::int64_t done, std::int64_t total) {
      observer.progress(what, done, total, "");
    };
  };
  Loader loader(train, evaluation_loader(config));
  Projection projection =
    project(network, train, loader, config.finish.distinct_images, shown_as("projecting"));
  if (auto * head = dynamic_cast<ProtoPNetHead *>(&network.head())) {
    fit_last_layer(network, *head, loader, shown_as("fitting the last layer"));
  }
  return projection;
}

void finish_training(
  const TrainingConfig & config, const std::string & run_directory,
  const std::shared_ptr<Network> & trained_network, const Manifest & manifest,
  const TrainingData & data, const TrainingObserver & observer, double seconds_before)
{
  const torch::NoGradGuard no_grad;
  Network & network = *trained_network;
  const auto begin = std::chrono::steady_clock::now();
  Finish finish(config, data, observer);
  json results{{"model", "final.safetensors"}, {"classes", manifest.classes}};
  json & stages = results["stages"] = json::array();

  std::vector<Step> steps{{"trained", trained_network, manifest, nullptr}};
  std::size_t final = 0;
  Projection projection;
  if (network.prototype_head() != nullptr) {
    steps[0].network = with_copied_head(network);
    projection = project_hard(config, network, data.train, observer);
    steps[0].distinct_patches = projection.distinct_patches;
    Step projected{"projected", trained_network, manifest, projection.distinct_patches};
    projected.manifest.stage = Stage::projected;
    projected.manifest.prototypes = projection.prototypes;
    steps.push_back(projected);
    final = network.has_density() ? add_concentrated_and_pruned(config, finish, steps) : 1;
  }
  const std::vector<Evaluation> evaluations = finish.evaluate(steps);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    stages.push_back(finish.row(steps[i], evaluations[i]));
  }

  const Evaluation & evaluation = evaluations[final];
  Manifest final_manifest = steps[final].manifest;
  final_manifest.calibration = evaluation.calibrated;
  json training = manifest.training.empty() ? json::object() : json::parse(manifest.training);
  training["stages"] = stages;
  final_manifest.training = training.dump();
  save_checkpoint(run_directory + "/final.safetensors", *steps[final].network, final_manifest);

  results["threshold"] = evaluation.calibrated ? json(evaluation.calibrated->threshold) : json();
  results["confusion"] = evaluation.test.confusion(network.head().classes());
  results["log_density"]["test"] = evaluation.test.log_density;
  results["log_density"]["calibration"] = evaluation.calibration.log_density;
  results["log_density"]["ood"] = json::object();
  for (const auto & [name, scores] : evaluation.ood) {
    results["log_density"]["ood"][name] = scores.log_density;
  }
  results["prototypes"] = network.prototype_head() != nullptr
                            ? prototypes_json(*network.prototype_head(), projection)
                            : json::array();
  results["images_train"] = data.train.size();
  results["images_test"] = data.test.size();
  results["seconds"] =
    seconds_before +
    std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const std::string text = results.dump();
  write_atomically(run_directory + "/results.json", {{text.data(), text.size()}});
}

}  // namespace mgproto
