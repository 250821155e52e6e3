// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/run/finish.hpp"

#include <torch/torch.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "model/checkpoint.hpp"
#include "model/file_io.hpp"
#include "training/evaluate/ood_metrics.hpp"
#include "training/evaluate/scores.hpp"
#include "training/ground/calibration.hpp"
#include "training/ground/patch_agreement.hpp"
#include "training/ground/projection.hpp"
#include "training/ground/pruning.hpp"
#include "training/run/base64.hpp"

namespace mgproto
{
namespace
{

using nlohmann::json;

/// Everything that is measured of one model.
struct Evaluation
{
  Scores test;
  Scores calibration;
  std::map<std::string, Scores> ood;
  Calibration calibrated;
};

class Finish
{
public:
  Finish(
    const TrainingConfig & config, const TrainingData & data, const TrainingObserver & observer)
  : config_(config), data_(data), observer_(observer)
  {
  }

  Evaluation evaluate(const std::string & stage, Network & network)
  {
    Evaluation evaluation;
    evaluation.test = score_set(stage + ": test", network, data_.test);
    evaluation.calibration = score_set(stage + ": calibration", network, data_.calibration);
    for (const auto & [name, dataset] : data_.ood) {
      evaluation.ood[name] = score_set(stage + ": " + name, network, dataset);
    }
    evaluation.calibrated = calibrate(
      evaluation.calibration.log_density, config_.finish.tpr, config_.network.preprocessing);
    return evaluation;
  }

  json row(
    const std::string & stage, Network & network, const Evaluation & evaluation,
    const json & distinct_patches)
  {
    json result{
      {"name", stage},
      {"accuracy", evaluation.test.accuracy()},
      {"prototypes", network.head().prototypes()},
      {"mean_pairwise_distance", mean_pairwise_distance(network.head())},
      {"distinct_patches", distinct_patches},
      {"threshold", evaluation.calibrated.threshold},
      {"tpr_test", share_at_or_above(evaluation.test.log_density, evaluation.calibrated.threshold)},
      {"ood", json::object()}};
    std::string line = stage + ": accuracy " + percent(evaluation.test.accuracy());
    for (const auto & [name, scores] : evaluation.ood) {
      const double fpr = fpr95(evaluation.test.log_density, scores.log_density);
      const double area = auroc(evaluation.test.log_density, scores.log_density);
      result["ood"][name] = {
        {"fpr95", fpr},
        {"auroc", area},
        {"msp_auroc", auroc(evaluation.test.max_posterior, scores.max_posterior)},
        {"passed_at_threshold",
         share_at_or_above(scores.log_density, evaluation.calibrated.threshold)}};
      line += ", " + name + " FPR95 " + percent(fpr) + " AUROC " + percent(area);
    }
    observer_.say(line);
    return result;
  }

  Projection project_onto_training_patches(Network & network)
  {
    Loader loader(data_.train, evaluation_loader(config_));
    return project(
      network, data_.train, loader, config_.finish.distinct_images,
      [&](std::int64_t done, std::int64_t total) {
        observer_.progress("projecting", done, total, "");
      });
  }

  PatchAgreement look_at_training_patches(Network & network)
  {
    Loader loader(data_.train, evaluation_loader(config_));
    return patch_agreement(network, loader, [&](std::int64_t done, std::int64_t total) {
      observer_.progress("looking at training patches", done, total, "");
    });
  }

private:
  Scores score_set(const std::string & what, Network & network, const Dataset & dataset)
  {
    Loader loader(dataset, evaluation_loader(config_));
    return score(network, loader, [&](std::int64_t done, std::int64_t total) {
      observer_.progress(what, done, total, "");
    });
  }

  static std::string percent(double share)
  {
    char text[32];
    std::snprintf(text, sizeof(text), "%.1f %%", 100 * share);
    return text;
  }

  static double mean_pairwise_distance(const GaussianHead & head)
  {
    double sum = 0;
    for (int c = 0; c < head.classes(); ++c) {
      const auto [begin, end] = head.range_of(c);
      if (end - begin > 1) {
        sum += torch::pdist(head.means.slice(0, begin, end)).mean().item<double>();
      }
    }
    return sum / head.classes();
  }

  const TrainingConfig & config_;
  const TrainingData & data_;
  const TrainingObserver & observer_;
};

json prototypes_json(const GaussianHead & head, const Projection & projection)
{
  json list = json::array();
  for (std::int64_t k = 0; k < head.prototypes(); ++k) {
    json entry{
      {"prototype", k},
      {"class_id", head.prototype_class()[k]},
      {"prior", head.priors[k].item<float>()}};
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

  const Evaluation trained = finish.evaluate("trained", network);
  stages.push_back(finish.row("trained", network, trained, nullptr));

  const Projection projection = finish.project_onto_training_patches(network);
  stages[0]["distinct_patches"] = projection.distinct_patches;
  Manifest final_manifest = manifest;
  final_manifest.stage = Stage::projected;
  final_manifest.prototypes = projection.prototypes;
  Evaluation final_evaluation = finish.evaluate("projected", network);
  stages.push_back(finish.row("projected", network, final_evaluation, projection.distinct_patches));

  std::shared_ptr<Network> final_network = trained_network;
  if (config.finish.concentration > 0) {
    final_network = with_concentration(network, config.finish.concentration);
    final_evaluation = finish.evaluate("concentrated", *final_network);
    stages.push_back(
      finish.row("concentrated", *final_network, final_evaluation, projection.distinct_patches));
  }
  Network & projected = *final_network;
  const auto add_pruned = [&](const std::string & name, const Pruning & pruning) {
    const auto pruned = with_head(
      projected,
      pruned_head(projected.head(), pruning, projected.config().head, config.finish.renormalize));
    Evaluation evaluation = finish.evaluate(name, *pruned);
    stages.push_back(finish.row(name, *pruned, evaluation, nullptr));
    return std::make_pair(pruned, std::move(evaluation));
  };
  for (const int keep : config.finish.prune) {
    const Pruning pruning = most_important(projected.head(), keep);
    auto [pruned, evaluation] = add_pruned("pruned to " + std::to_string(keep), pruning);
    if (keep == config.finish.keep) {
      final_network = pruned;
      final_manifest = pruned_manifest(final_manifest, pruning.kept);
      final_evaluation = std::move(evaluation);
    }
  }
  if (config.finish.compare_pruning) {
    const PatchAgreement agreement = finish.look_at_training_patches(projected);
    add_pruned("pruned by purity", purest(projected.head(), agreement));
    for (const int keep : config.finish.prune) {
      add_pruned("merged to " + std::to_string(keep), merged(projected.head(), agreement, keep));
    }
  }

  final_manifest.calibration = final_evaluation.calibrated;
  json training = manifest.training.empty() ? json::object() : json::parse(manifest.training);
  training["stages"] = stages;
  final_manifest.training = training.dump();
  save_checkpoint(run_directory + "/final.safetensors", *final_network, final_manifest);

  results["threshold"] = final_evaluation.calibrated.threshold;
  results["confusion"] = final_evaluation.test.confusion(network.head().classes());
  results["log_density"]["test"] = final_evaluation.test.log_density;
  results["log_density"]["calibration"] = final_evaluation.calibration.log_density;
  results["log_density"]["ood"] = json::object();
  for (const auto & [name, scores] : final_evaluation.ood) {
    results["log_density"]["ood"][name] = scores.log_density;
  }
  results["prototypes"] = prototypes_json(network.head(), projection);
  results["images_train"] = data.train.size();
  results["images_test"] = data.test.size();
  results["seconds"] =
    seconds_before +
    std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const std::string text = results.dump();
  write_atomically(run_directory + "/results.json", {{text.data(), text.size()}});
}

}  // namespace mgproto
