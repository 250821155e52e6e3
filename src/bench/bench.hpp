// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef BENCH__BENCH_HPP_
#define BENCH__BENCH_HPP_

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bench/machine.hpp"
#include "bench/plan.hpp"
#include "bench/targets.hpp"

namespace mgproto::bench
{

/// Targets that are measured together, by one function.
struct Measurement
{
  std::vector<std::string> names;
  Values (*run)(const Plan &);
};

/// Those of these targets, without the names of others; all if there are no names.
std::vector<Measurement> measurements_of(const std::vector<std::string> & names);

struct Result
{
  Target target;
  std::optional<double> value;  ///< nothing: it could not be measured here
};

struct Outcome
{
  std::vector<Result> results;  ///< in the order of targets()
  double peak_megabytes = 0;    ///< the largest of the processes
};

/// Gets one line about what is being done, and one for everything that cannot be.
using Say = std::function<void(const std::string &)>;

/// What one measurement gave.
struct Measured
{
  Values values;
  double peak_megabytes = 0;
};
using Measure = std::function<Measured(const Measurement &)>;

/// One measurement, in this process.
Measured measure(const Plan & plan, const Measurement & measurement, const Say & say);

/// One after the other, each as `measure` does it. Takes minutes.
Outcome run(
  const std::vector<Measurement> & measurements, const Measure & measure, const Say & say);

/// {"results": [{"name", "value", "unit"}], "machine": {...}}
nlohmann::ordered_json to_json(const Outcome & outcome, const Machine & machine);

/// "≤ 0.02"
std::string limit_text(const Target & target);
/// "0.0123", or "-" without a value
std::string value_text(const Result & result);
/// "ok", "missed", or "not measured"
std::string verdict_text(const Result & result);

}  // namespace mgproto::bench

#endif  // BENCH__BENCH_HPP_
