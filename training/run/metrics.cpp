// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/run/metrics.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "mgproto_ros/error.hpp"

namespace mgproto
{

Metrics::Metrics(const std::string & path, std::int64_t bytes) : path_(path)
{
  if (std::filesystem::exists(path)) {
    std::filesystem::resize_file(path, static_cast<std::uintmax_t>(bytes));
  }
  file_.open(path, std::ios::app);
  if (!file_) {
    throw FileError(path, "cannot be written");
  }
}

void Metrics::write_step(std::int64_t epoch, std::int64_t iteration, const StepReport & step)
{
  nlohmann::json line{
    {"type", "iteration"},
    {"epoch", epoch},
    {"iteration", iteration},
    {"ce", step.ce},
    {"mine", step.mining},
    {"aux", step.aux},
    {"total", step.total},
    {"accuracy", step.accuracy},
    {"memory_fill", step.memory_fill},
    {"images_per_second", step.images_per_second()},
    {"seconds",
     {{"data", step.seconds_data},
      {"forward", step.seconds_forward},
      {"backward", step.seconds_backward},
      {"em", step.seconds_em}}}};
  for (const auto & [name, value] : step.others) {
    line[name] = value;
  }
  file_ << line.dump() << std::endl;
}

void Metrics::write_epoch(const EpochReport & report)
{
  nlohmann::json line{
    {"type", "epoch"},
    {"epoch", report.epoch},
    {"train_accuracy", report.train_accuracy},
    {"test_accuracy", nullptr},
    {"mean_pairwise_distance", nullptr},
    {"distinct_features", nullptr},
    {"largest_responsibility", nullptr},
    {"learning_rates",
     {{"backbone", report.rates.backbone},
      {"add_on", report.rates.add_on},
      {"proxies", report.rates.proxies},
      {"em", report.rates.em}}},
    {"seconds", report.seconds}};
  if (report.test_accuracy) {
    line["test_accuracy"] = *report.test_accuracy;
  }
  if (report.health) {
    line["mean_pairwise_distance"] = report.health->mean_pairwise_distance;
    line["distinct_features"] = report.health->distinct_nearest_features;
    line["largest_responsibility"] = report.health->mean_largest_responsibility;
  }
  file_ << line.dump() << std::endl;
}

void Metrics::write_projection(std::int64_t epoch, double before, double after)
{
  const nlohmann::json line{
    {"type", "projection"}, {"epoch", epoch}, {"before", before}, {"after", after}};
  file_ << line.dump() << std::endl;
}

std::int64_t Metrics::bytes() const
{
  return static_cast<std::int64_t>(std::filesystem::file_size(path_));
}

}  // namespace mgproto
