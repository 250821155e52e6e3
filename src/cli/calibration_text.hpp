// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef CLI__CALIBRATION_TEXT_HPP_
#define CLI__CALIBRATION_TEXT_HPP_

#include <string>

#include "model/conformal.hpp"
#include "model/decision.hpp"
#include "model/number_text.hpp"
#include "model/reason_text.hpp"

namespace mgproto::cli
{

/// What a checkpoint promises, in a line.
inline std::string calibration_text(const Manifest & manifest)
{
  if (!manifest.calibration) {
    return calibration_problem(manifest) + ", and cannot say what is unknown";
  }
  const Calibration & calibration = *manifest.calibration;
  const auto images = static_cast<std::int64_t>(calibration.log_density.size());
  const AcceptedShare share = accepted_share(images, calibration.tpr);
  return std::string(score_name(criterion_of(calibration))) +
         " >= " + general(threshold_for(calibration), 6) +
         " is known: " + percent(calibration.tpr) + " of images like the " +
         std::to_string(images) + " calibrated on pass (" + percent(share.low) + " to " +
         percent(share.high) + " in nine cases of ten)";
}

}  // namespace mgproto::cli

#endif  // CLI__CALIBRATION_TEXT_HPP_
