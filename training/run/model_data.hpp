// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__RUN__MODEL_DATA_HPP_
#define TRAINING__RUN__MODEL_DATA_HPP_

#include <cstdint>
#include <functional>
#include <string>

#include "mgproto_ros/manifest.hpp"

namespace mgproto
{

struct Dataset;
struct LoaderConfig;

/// Images for a step on a finished checkpoint.
struct ImagesOption
{
  std::string path;
  std::string split = "train";
};

/// How far the work named by `what` has come.
using StepProgress =
  std::function<void(const std::string & what, std::int64_t done, std::int64_t total)>;

/// The progress of a pass over images, as work named `what`. Keeps a reference.
std::function<void(std::int64_t, std::int64_t)> shown_as(
  const StepProgress & progress, const std::string & what);

/// Labelled by the model's classes. Images of others are an error, or left out if so asked.
Dataset open_for_model(
  const Manifest & manifest, const ImagesOption & images, bool leave_out_others = false);

/// Images of no class, all of them.
Dataset open_ood(const std::string & path);

/// As the model is to see its images.
LoaderConfig loader_for_model(const Manifest & manifest);

}  // namespace mgproto

#endif  // TRAINING__RUN__MODEL_DATA_HPP_
