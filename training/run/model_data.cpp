// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/run/model_data.hpp"

#include "datasets/dataset.hpp"
#include "datasets/loader.hpp"

namespace mgproto
{

std::function<void(std::int64_t, std::int64_t)> shown_as(
  const StepProgress & progress, const std::string & what)
{
  return [&progress, what](std::int64_t done, std::int64_t total) { progress(what, done, total); };
}

Dataset open_for_model(
  const Manifest & manifest, const ImagesOption & images, bool leave_out_others)
{
  DatasetOptions options;
  options.evaluation = true;
  options.classes = manifest.classes;
  options.leave_out_others = leave_out_others;
  return open_dataset(images.path, images.split, options);
}

Dataset open_ood(const std::string & path)
{
  DatasetOptions options;
  options.evaluation = true;
  options.labelled = false;
  return open_dataset(path, "all", options);
}

LoaderConfig loader_for_model(const Manifest & manifest)
{
  LoaderConfig config;
  config.preprocessing = manifest.preprocessing;
  config.batch_size = 32;
  return config;
}

}  // namespace mgproto
