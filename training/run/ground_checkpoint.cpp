// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/run/ground_checkpoint.hpp"

#include <torch/torch.h>

#include "mgproto_ros/error.hpp"
#include "model/checkpoint.hpp"
#include "model/checkpoint_file.hpp"
#include "training/data/loader.hpp"
#include "training/evaluate/scores.hpp"
#include "training/ground/calibration.hpp"
#include "training/ground/patch_agreement.hpp"
#include "training/ground/projection.hpp"
#include "training/ground/pruning.hpp"

namespace mgproto
{
namespace
{

constexpr int kBatch = 32;

Checkpoint load_model(const std::string & path)
{
  Checkpoint checkpoint = load_mixtures(path);
  checkpoint.manifest.calibration.reset();
  return checkpoint;
}

Dataset open_images(const ImagesOption & images, const Manifest & manifest)
{
  DatasetOptions options;
  options.evaluation = true;
  options.classes = manifest.classes;
  return open_dataset(images.path, images.split, options);
}

LoaderConfig loader_config(const Manifest & manifest)
{
  LoaderConfig config;
  config.preprocessing = manifest.preprocessing;
  config.batch_size = kBatch;
  return config;
}

void calibrate_if_asked(
  Network & network, Manifest & manifest, const CalibrationOption & option,
  const StepProgress & progress)
{
  if (option.images.path.empty()) {
    return;
  }
  const Dataset dataset = open_images(option.images, manifest);
  Loader loader(dataset, loader_config(manifest));
  const Scores scores = score(network, loader, [&](std::int64_t done, std::int64_t total) {
    progress("calibrating", done, total);
  });
  manifest.calibration = calibrate(scores.log_density, option.tpr, manifest.preprocessing);
}

Pruning prune(
  Network & network, const Manifest & manifest, const PruningOption & option,
  const StepProgress & progress)
{
  if (option.method == PruningMethod::importance) {
    return most_important(network.gaussian_head(), option.keep);
  }
  if (option.images.path.empty()) {
    throw ConfigError("data", "this way to prune looks at the training images");
  }
  const Dataset dataset = open_images(option.images, manifest);
  Loader loader(dataset, loader_config(manifest));
  const PatchAgreement agreement =
    patch_agreement(network, loader, [&](std::int64_t done, std::int64_t total) {
      progress("looking at training patches", done, total);
    });
  return option.method == PruningMethod::purity
           ? purest(network.gaussian_head(), agreement)
           : merged(network.gaussian_head(), agreement, option.keep);
}

Manifest save(const std::string & output, Network & network, const Manifest & manifest)
{
  save_checkpoint(output, network, manifest);
  return CheckpointFile::open(output).manifest();
}

}  // namespace

Manifest project_checkpoint(
  const std::string & model, const std::string & output, const ImagesOption & images,
  bool distinct_images, const CalibrationOption & calibration, const StepProgress & progress)
{
  const torch::NoGradGuard no_grad;
  Checkpoint checkpoint = load_model(model);
  const Dataset dataset = open_images(images, checkpoint.manifest);
  Loader loader(dataset, loader_config(checkpoint.manifest));
  checkpoint.manifest.prototypes =
    project(
      *checkpoint.network, dataset, loader, distinct_images,
      [&](std::int64_t done, std::int64_t total) { progress("projecting", done, total); })
      .prototypes;
  if (checkpoint.manifest.stage == Stage::trained) {
    checkpoint.manifest.stage = Stage::projected;  // a pruned model stays a pruned one
  }
  calibrate_if_asked(*checkpoint.network, checkpoint.manifest, calibration, progress);
  return save(output, *checkpoint.network, checkpoint.manifest);
}

Manifest prune_checkpoint(
  const std::string & model, const std::string & output, const PruningOption & option,
  const CalibrationOption & calibration, const StepProgress & progress)
{
  const torch::NoGradGuard no_grad;
  const Checkpoint checkpoint = load_model(model);
  const GaussianHead & head = checkpoint.network->gaussian_head();
  const Pruning pruning = prune(*checkpoint.network, checkpoint.manifest, option, progress);
  const auto network = with_head(
    *checkpoint.network,
    pruned_head(head, pruning, checkpoint.network->config().head, option.renormalize));
  Manifest manifest = pruned_manifest(checkpoint.manifest, pruning.kept);
  calibrate_if_asked(*network, manifest, calibration, progress);
  return save(output, *network, manifest);
}

Manifest calibrate_checkpoint(
  const std::string & model, const std::string & output, double concentration,
  const CalibrationOption & calibration, const StepProgress & progress)
{
  const torch::NoGradGuard no_grad;
  Checkpoint checkpoint = load_model(model);
  if (concentration > 0) {
    checkpoint.network = with_concentration(*checkpoint.network, concentration);
  }
  calibrate_if_asked(*checkpoint.network, checkpoint.manifest, calibration, progress);
  return save(output, *checkpoint.network, checkpoint.manifest);
}

}  // namespace mgproto
