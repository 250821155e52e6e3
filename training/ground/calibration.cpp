// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/ground/calibration.hpp"

#include <algorithm>
#include <cmath>

#include "mgproto_ros/error.hpp"
#include "model/preprocessing.hpp"
#include "model/quantile.hpp"

namespace mgproto
{
namespace
{

constexpr std::size_t kFewest = 20;  // fewer say nothing about a 5 % tail
constexpr int kQuantiles = 101;

}  // namespace

Calibration calibrate(
  const std::vector<double> & log_density, double tpr, const PreprocessingConfig & preprocessing)
{
  if (!(tpr > 0 && tpr < 1)) {
    throw ConfigError("tpr", "must be within 0 to 1");
  }
  if (log_density.size() < kFewest) {
    throw Error(
      "calibration on " + std::to_string(log_density.size()) + " images: at least " +
      std::to_string(kFewest) + " are needed");
  }
  if (!std::all_of(
        log_density.begin(), log_density.end(), [](double v) { return std::isfinite(v); })) {
    throw Error("calibration: log p(x) of an image is not finite");
  }
  Calibration calibration;
  calibration.tpr = tpr;
  calibration.threshold = quantile(log_density, 1 - tpr);
  for (int i = 0; i < kQuantiles; ++i) {
    calibration.quantiles.push_back(
      quantile(log_density, static_cast<double>(i) / (kQuantiles - 1)));
  }
  calibration.count = static_cast<std::int64_t>(log_density.size());
  calibration.preprocessing = preprocessing_hash(preprocessing);
  return calibration;
}

}  // namespace mgproto
