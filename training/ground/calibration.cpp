// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/ground/calibration.hpp"

#include <algorithm>
#include <cmath>

#include "mgproto_ros/error.hpp"
#include "model/conformal.hpp"
#include "model/number_text.hpp"

namespace mgproto
{
void check_calibration(std::int64_t images, double tpr)
{
  if (!(tpr > 0 && tpr < 1)) {
    throw ConfigError("tpr", "must be within 0 to 1");
  }
  if (conformal_rank(images, tpr) < 1) {
    throw Error(
      "calibration on " + std::to_string(images) + " images: at least " +
      std::to_string(images_needed(tpr)) + " are needed to promise a tpr of " + general(tpr, 6));
  }
}

Calibration calibrate(std::vector<double> log_density, double tpr)
{
  check_calibration(static_cast<std::int64_t>(log_density.size()), tpr);
  if (!std::all_of(
        log_density.begin(), log_density.end(), [](double v) { return std::isfinite(v); })) {
    throw Error("calibration: log p(x) of an image is not finite");
  }
  std::sort(log_density.begin(), log_density.end());
  return {tpr, std::move(log_density)};
}

}  // namespace mgproto
