// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef BENCH__GROWTH_HPP_
#define BENCH__GROWTH_HPP_

#include <string>
#include <vector>

#include "bench/bench.hpp"
#include "bench/plan.hpp"

namespace mgproto::bench
{

/// How time and memory grow with one size, the others being the plan's.
struct Growth
{
  struct Row
  {
    double size = 0;
    std::vector<double> milliseconds;  ///< one for each of `parts`
    double megabytes = 0;              ///< peak above what the process held before
  };

  std::string name;                ///< for file names
  std::string title;               ///< "Classes"
  std::string size;                ///< "C"
  std::vector<std::string> parts;  ///< what is timed
  std::vector<Row> rows;
};

/// Against classes, image size, cameras, batch and prototypes per class.
std::vector<Growth> measure_growth(const Plan & plan, const Say & say);

}  // namespace mgproto::bench

#endif  // BENCH__GROWTH_HPP_
