// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef BENCH__TARGETS_HPP_
#define BENCH__TARGETS_HPP_

#include <string>
#include <vector>

#include "bench/measurements.hpp"

namespace mgproto::bench
{

/// A number that is measured, and what it must reach.
struct Target
{
  std::string name;
  std::string unit;  ///< "ratio", "share" or "ms"
  bool at_most;      ///< otherwise at least
  double limit;
  std::string meaning;
  Values (*measure)(const Plan &) = nullptr;  ///< one function for those that are measured together

  bool met_by(double value) const { return at_most ? value <= limit : value >= limit; }
};

/// All of them, in the order in which they are reported.
const std::vector<Target> & targets();

}  // namespace mgproto::bench

#endif  // BENCH__TARGETS_HPP_
