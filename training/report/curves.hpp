// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__REPORT__CURVES_HPP_
#define TRAINING__REPORT__CURVES_HPP_

#include <cstddef>
#include <istream>
#include <nlohmann/json.hpp>

namespace mgproto
{

/// The curves in the lines of a metrics.jsonl, as {"iterations": columns, "epochs": columns}.
/// Columns are lists of equal length by name ("ce", "seconds/data", ...), null where a value is
/// missing or not finite. The column "at" is the place on the axis that both share, in epochs: what
/// was measured after epoch 0 stands at 1, its iterations stand between 0 and 1.
///
/// Longer columns are thinned out to `most_points` means.
nlohmann::json read_curves(std::istream & metrics, std::size_t most_points = 1000);

}  // namespace mgproto

#endif  // TRAINING__REPORT__CURVES_HPP_
