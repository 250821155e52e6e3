// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/run/finish.hpp"

#include <torch/torch.h>

#include <nlohmann/json.hpp>

#include "model/checkpoint.hpp"
#include "model/decision.hpp"
#include "model/number_text.hpp"
#include "training/ground/calibration.hpp"
#include "training/ground/concentration.hpp"
#include "training/ground/familiarity_fit.hpp"
#include "training/ground/keep_images.hpp"
#include "training/ground/last_layer.hpp"
#include "training/ground/patch_agreement.hpp"
#include "training/learn/stopwatch.hpp"
#include "training/measure/logit_scores.hpp"
#include "training/measure/measure.hpp"
#include "training/measure/recognition.hpp"
#include "training/report/results_json.hpp"

namespace mgproto
{
namespace
{

/// A model on the way from the last epoch to the final checkpoint.
struct Step
{
  std::string name;
  std::shared_ptr<Network> network;
  Manifest manifest;
  std::optional<double> distinct_patches = {};
  std::vector<std::int64_t> kept = {};  // of the projected prototypes; empty: all
  MeasuredImages images = {};
};

std::string name_of(const ComparedPruning & row)
{
  if (row.method == PruningMethod::purity) {
    return "pruned by purity";
  }
  return (row.method == PruningMethod::merge ? "merged to " : "pruned to ") +
         std::to_string(*row.keep);
}

std::string console_line(const ModelResult & result)
{
  std::string line = result.name + ": accuracy " + percent(result.accuracy);
  for (const auto & [name, set] : result.ood) {
    const Separation & separation = *set.scores.front().second;
    line +=
      ", " + name + " FPR95 " + percent(separation.fpr95) + " AUROC " + percent(separation.auroc);
  }
  return line;
}

Progress progress_shown_by(const TrainingObserver & observer, const std::string & what)
{
  return [&observer, what](std::int64_t done, std::int64_t total) {
    observer.progress(what, done, total, "");
  };
}

/// What a step's head makes of another one's features, and of a model with familiarity all that its
/// decision needs.
Columns columns_of(Network & network)
{
  const Head & head = network.head();
  Columns columns{{"logits", [&head](const BatchOutputs & batch) {
                     return head.logits(batch.features(), batch.whole());
                   }}};
  if (network.familiarity() != nullptr) {
    const PrototypeHead & prototypes = *network.prototype_head();
    columns["similarity"] = [&prototypes](const BatchOutputs & batch) {
      return prototypes.similarity(
        prototypes.similarity_maps(batch.features(), prototypes.means), batch.whole());
    };
    columns["features"] = &BatchOutputs::pooled;
  }
  return columns;
}

class Finish
{
public:
  Finish(
    const TrainingConfig & config, const TrainingData & data, const TrainingObserver & observer)
  : config_(config), data_(data), observer_(observer)
  {
  }

  /// What the steps say about all images. They differ in their heads alone: one pass is enough, in
  /// the last one's network, which also keeps what pruning needs.
  void look_at_images(std::vector<Step> & steps) const
  {
    const auto outputs_of = [&](const std::string & name, const Dataset & dataset) {
      Network & network = *steps.back().network;
      std::vector<OutputCollector> collectors;
      for (const Step & step : steps) {
        collectors.emplace_back(columns_of(*step.network));
      }
      collectors.back() = OutputCollector(columns_for_calibration());
      Loader loader(dataset, evaluation_loader(config_));
      for_each_batch(
        network, loader, progress_shown_by(observer_, "measuring: " + name),
        [&](const BatchOutputs & batch) {
          for (OutputCollector & collector : collectors) {
            collector.add(batch);
          }
        });
      return collectors;
    };
    const auto test = outputs_of("test", data_.test);
    const auto calibration = outputs_of("calibration", data_.calibration);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      steps[i].images = {test[i].result(), calibration[i].result(), {}};
    }
    for (const auto & [name, dataset] : data_.ood) {
      const auto ood = outputs_of(name, dataset);
      for (std::size_t i = 0; i < steps.size(); ++i) {
        steps[i].images.ood[name] = ood[i].result();
      }
    }
  }

  /// Of the finished model's densities; 0 if they stay as they are.
  double concentration(Network & network) const
  {
    if (!config_.finish.fit_concentration) {
      return config_.finish.concentration;
    }
    Loader loader(data_.calibration, evaluation_loader(config_));
    const double concentration = fitted_concentration(
      network, loader, progress_shown_by(observer_, "fitting the concentration"));
    observer_.say("concentration " + fixed(concentration, 2) + ", for the best p(c|x)");
    return concentration;
  }

  /// Adds what the last step is pruned to for the rows of the table. Returns which of all steps is to
  /// be the final one.
  std::size_t add_pruned(std::vector<Step> & steps) const
  {
    const Step whole = steps.back();
    const GaussianHead & head = whole.network->gaussian_head();
    std::optional<PatchAgreement> agreement;
    if (config_.finish.compare_pruning) {
      Loader loader(data_.train, evaluation_loader(config_));
      agreement = patch_agreement(
        *whole.network, loader, progress_shown_by(observer_, "looking at training patches"));
    }
    std::size_t final = steps.size() - 1;
    for (const ComparedPruning & row : compared_prunings(head, config_.finish.prune, agreement)) {
      const auto pruned =
        pruned_head(head, row.pruning, whole.network->config().head, config_.finish.renormalize);
      if (row.method == PruningMethod::importance && row.keep == config_.finish.keep) {
        final = steps.size();
      }
      const std::vector<std::int64_t> & kept = row.pruning.kept;
      steps.push_back(
        {name_of(row),
         with_head(*whole.network, pruned, kept),
         pruned_manifest(whole.manifest, kept),
         {},
         kept,
         as_pruned(whole.images, *pruned, kept)});
    }
    return final;
  }

  /// Gives the step its calibration.
  ModelResult measure(Step & step) const
  {
    const bool has_density = step.network->has_density();
    if (has_density) {
      step.manifest.calibration = calibrate(
        *step.network, *step.images.calibration, config_.finish.tpr, config_.finish.criterion);
    }
    std::vector<NamedScore> scores = plain_scores(has_density);
    add_joint_score(*step.network, step.manifest.calibration, scores);
    ModelResult result = measure_model(
      step.network->prototype_head(), step.images, scores,
      decision_rule(*step.network, step.manifest.calibration));
    result.name = step.name;
    result.score = scores.front().name;
    result.distinct_patches = step.distinct_patches;
    observer_.say(console_line(result));
    return result;
  }

private:
  const TrainingConfig & config_;
  const TrainingData & data_;
  const TrainingObserver & observer_;
};

std::vector<PrototypeResult> prototypes_of(const Step & step, const Projection & projection)
{
  std::vector<PrototypeResult> prototypes;
  const PrototypeHead * head = step.network->prototype_head();
  for (std::int64_t k = 0; head != nullptr && k < head->prototypes(); ++k) {
    PrototypeResult prototype;
    prototype.class_id = head->prototype_class()[k];
    if (step.network->has_density()) {
      prototype.prior = step.network->gaussian_head().priors[k].item<float>();
    }
    prototype.source = step.manifest.prototypes[k];
    prototype.heat = projection.heat[step.kept.empty() ? k : step.kept[k]];
    prototypes.push_back(std::move(prototype));
  }
  return prototypes;
}

SetScores of_all_sets(
  const MeasuredImages & images,
  const std::function<std::vector<double>(const ImageOutputs &)> & score)
{
  SetScores scores;
  scores.test = score(images.test);
  scores.calibration = score(*images.calibration);
  for (const auto & [name, outputs] : images.ood) {
    scores.ood[name] = score(outputs);
  }
  return scores;
}

/// All of them but the seconds.
TrainingResults results_of(
  const Step & final, const std::vector<ModelResult> & stages, const Projection & projection,
  const TrainingData & data)
{
  TrainingResults results;
  results.classes = final.manifest.classes;
  results.stages = stages;
  results.final_stage = final.name;
  const ImageOutputs & test = final.images.test;
  results.confusion = confusion(test.logits.log_softmax(1), test.labels);
  results.log_density = of_all_sets(final.images, log_density);
  if (const auto rule = decision_rule(*final.network, final.manifest.calibration)) {
    results.threshold = rule->threshold;
    if (criterion_of(*final.manifest.calibration) == Criterion::joint) {
      results.joint = of_all_sets(
        final.images, [&](const ImageOutputs & images) { return numbers(rule->score(images)); });
    }
  }
  results.prototypes = prototypes_of(final, projection);
  results.images_train = data.train.size();
  results.images_test = data.test.size();
  return results;
}

}  // namespace

Projection project_hard(
  const TrainingConfig & config, Network & network, const Dataset & train,
  const TrainingObserver & observer)
{
  Loader loader(train, evaluation_loader(config));
  Projection projection = project(
    network, train, loader, config.finish.distinct_images,
    progress_shown_by(observer, "projecting"));
  fit_last_layer(network, loader, progress_shown_by(observer, "fitting the last layer"));
  return projection;
}

TrainingResults finish_training(
  const TrainingConfig & config, const std::string & run_directory,
  const std::shared_ptr<Network> & network, const Manifest & manifest, const TrainingData & data,
  const TrainingObserver & observer, double seconds_before)
{
  const torch::NoGradGuard no_grad;
  const Stopwatch watch;
  const Finish finish(config, data, observer);
  std::vector<Step> steps{{"trained", network, manifest}};
  Projection projection;
  if (network->prototype_head() != nullptr) {
    steps[0].network = with_copied_head(*network);
    projection = project_hard(config, *network, data.train, observer);
    steps[0].distinct_patches = projection.distinct_patches;
    steps.push_back({"projected", network, manifest, projection.distinct_patches});
    steps.back().manifest.stage = Stage::projected;
    steps.back().manifest.prototypes = projection.prototypes;
  }
  if (network->has_density()) {
    if (config.finish.criterion == Criterion::joint) {
      Loader loader(data.train, evaluation_loader(config));
      fit_familiarity(*network, loader, progress_shown_by(observer, "looking at what is familiar"));
    }
    if (const double concentration = finish.concentration(*network); concentration > 0) {
      steps.push_back(steps.back());
      steps.back().name = "concentrated";
      steps.back().network = with_concentration(*network, concentration);
    }
  }
  finish.look_at_images(steps);
  const std::size_t final = network->has_density() ? finish.add_pruned(steps) : steps.size() - 1;
  std::vector<ModelResult> stages;
  for (Step & step : steps) {
    stages.push_back(finish.measure(step));
  }

  Step & chosen = steps[final];
  chosen.manifest.training = with_stages(manifest.training, stages);
  if (chosen.network->familiarity() != nullptr) {
    keep_images(
      *chosen.network, data.calibration, evaluation_loader(config),
      progress_shown_by(observer, "keeping calibration images, to be taught more"));
  }
  save_checkpoint(run_directory + "/final.safetensors", *chosen.network, chosen.manifest);
  TrainingResults results = results_of(chosen, stages, projection, data);
  results.seconds = seconds_before + watch.seconds();
  write_results(run_directory, results);
  return results;
}

}  // namespace mgproto
