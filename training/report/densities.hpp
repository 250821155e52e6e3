// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__REPORT__DENSITIES_HPP_
#define TRAINING__REPORT__DENSITIES_HPP_

#include <nlohmann/json.hpp>

namespace mgproto
{

/// Histograms of log p(x) over common bins, from {"test": [..], "calibration": [..], "ood": {name:
/// [..]}}, as {"from", "to", "threshold", "sets": [{"name", "kind": test | calibration | ood,
/// "images", "accepted", "shares": [..]}]}. A share is of the set's own images, so that sets of
/// different size compare; `accepted` is the share at or above the threshold, null without one.
/// Values beyond `from` and `to` are in the outermost bins; values that are not numbers are left
/// out. Null if there are none at all.
nlohmann::json density_histograms(
  const nlohmann::json & log_density, const nlohmann::json & threshold);

}  // namespace mgproto

#endif  // TRAINING__REPORT__DENSITIES_HPP_
