// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/run/ground_checkpoint.hpp"

#include <torch/torch.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>

#include "mgproto_ros/error.hpp"
#include "model/checkpoint.hpp"
#include "model/checkpoint_file.hpp"
#include "training/ground/calibration.hpp"
#include "training/ground/familiarity_fit.hpp"
#include "training/ground/keep_images.hpp"
#include "training/ground/patch_agreement.hpp"
#include "training/ground/projection.hpp"

namespace mgproto
{
namespace
{

Checkpoint load_uncalibrated(const std::string & path)
{
  Checkpoint checkpoint = load_mixtures(path);
  checkpoint.manifest.calibration.reset();
  if (checkpoint.manifest.untaught) {
    checkpoint.manifest.untaught->calibration.reset();
  }
  return checkpoint;
}

/// Training images are given as a whole split, of which some may have been kept for calibration: what a
/// model is familiar with cannot tell how it takes what is new to it.
Dataset without(Dataset dataset, const Dataset & others)
{
  using Image = std::pair<std::string, std::int64_t>;  // file, record
  const auto image_of = [](const Sample & sample) {
    return Image(std::filesystem::weakly_canonical(sample.file).string(), sample.record);
  };
  std::set<Image> left_out;
  std::transform(
    others.samples.begin(), others.samples.end(), std::inserter(left_out, left_out.end()),
    image_of);
  auto & samples = dataset.samples;
  samples.erase(
    std::remove_if(
      samples.begin(), samples.end(),
      [&](const Sample & sample) { return left_out.count(image_of(sample)) > 0; }),
    samples.end());
  return dataset;
}

void get_familiar(
  Checkpoint & checkpoint, const Dataset & training, const CalibrationOption & calibration,
  const StepProgress & progress)
{
  const Dataset held_out = calibration.images.path.empty()
                             ? Dataset()
                             : open_for_model(checkpoint.manifest, calibration.images);
  const Dataset dataset = without(training, held_out);
  Loader loader(dataset, loader_for_model(checkpoint.manifest));
  fit_familiarity(*checkpoint.network, loader, shown_as(progress, "looking at what is familiar"));
}

void calibrate_if_asked(
  Network & network, Manifest & manifest, const CalibrationOption & option,
  const StepProgress & progress)
{
  if (option.images.path.empty()) {
    return;
  }
  const Dataset dataset = open_for_model(manifest, option.images);
  check_calibration(dataset.size(), option.tpr);
  Loader loader(dataset, loader_for_model(manifest));
  const ImageOutputs images =
    collect(network, loader, shown_as(progress, "calibrating"), columns_for_calibration());
  manifest.calibration = calibrate(network, images, option.tpr, option.criterion);
  if (network.familiarity() != nullptr) {
    keep_images(
      network, dataset, loader_for_model(manifest),
      shown_as(progress, "keeping calibration images"));
  }
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
  const Dataset dataset = open_for_model(manifest, option.images);
  Loader loader(dataset, loader_for_model(manifest));
  const PatchAgreement agreement =
    patch_agreement(network, loader, shown_as(progress, "looking at training patches"));
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
  Checkpoint checkpoint = load_uncalibrated(model);
  const Dataset dataset = open_for_model(checkpoint.manifest, images);
  Loader loader(dataset, loader_for_model(checkpoint.manifest));
  checkpoint.manifest.prototypes =
    project(*checkpoint.network, dataset, loader, distinct_images, shown_as(progress, "projecting"))
      .prototypes;
  if (checkpoint.network->familiarity() != nullptr) {  // the prototypes are others now
    get_familiar(checkpoint, dataset, calibration, progress);
  }
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
  const Checkpoint checkpoint = load_uncalibrated(model);
  const GaussianHead & head = checkpoint.network->gaussian_head();
  const Pruning pruning = prune(*checkpoint.network, checkpoint.manifest, option, progress);
  const auto network = with_head(
    *checkpoint.network,
    pruned_head(head, pruning, checkpoint.network->config().head, option.renormalize),
    pruning.kept);
  Manifest manifest = pruned_manifest(checkpoint.manifest, pruning.kept);
  calibrate_if_asked(*network, manifest, calibration, progress);
  return save(output, *network, manifest);
}

Manifest calibrate_checkpoint(
  const std::string & model, const std::string & output, double concentration,
  const ImagesOption & familiar, const CalibrationOption & calibration,
  const StepProgress & progress)
{
  const torch::NoGradGuard no_grad;
  Checkpoint checkpoint = load_uncalibrated(model);
  if (concentration > 0) {
    checkpoint.network = with_concentration(*checkpoint.network, concentration);
  }
  if (!familiar.path.empty()) {
    get_familiar(checkpoint, open_for_model(checkpoint.manifest, familiar), calibration, progress);
  }
  calibrate_if_asked(*checkpoint.network, checkpoint.manifest, calibration, progress);
  return save(output, *checkpoint.network, checkpoint.manifest);
}

}  // namespace mgproto
