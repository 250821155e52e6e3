// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "bench/bench.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "bench/process_memory.hpp"
#include "model/number_text.hpp"

namespace mgproto::bench
{
namespace
{

constexpr int kDigits = 4;

/// Errors of ours are one line; a library's may go on with a stack trace.
std::string first_line(const std::exception & error)
{
  const std::string what = error.what();
  return what.substr(0, what.find('\n'));
}

std::string joined(const std::vector<std::string> & names)
{
  std::string text;
  for (const std::string & name : names) {
    text += (text.empty() ? "" : ", ") + name;
  }
  return text;
}

}  // namespace

std::vector<Measurement> measurements_of(const std::vector<std::string> & names)
{
  std::vector<Measurement> wanted;
  for (const Target & target : targets()) {
    if (!names.empty() && std::find(names.begin(), names.end(), target.name) == names.end()) {
      continue;
    }
    const auto together = std::find_if(
      wanted.begin(), wanted.end(),
      [&](const Measurement & other) { return other.run == target.measure; });
    if (together != wanted.end()) {
      together->names.push_back(target.name);
    } else {
      wanted.push_back({{target.name}, target.measure});
    }
  }
  return wanted;
}

Measured measure(const Plan & plan, const Measurement & measurement, const Say & say)
{
  say("measuring " + joined(measurement.names));
  const Values values = measurement.run(plan);
  return {values, peak_megabytes()};
}

Outcome run(const std::vector<Measurement> & measurements, const Measure & measure, const Say & say)
{
  Outcome outcome;
  std::map<std::string, std::optional<double>> found;
  for (const Measurement & measurement : measurements) {
    for (const std::string & name : measurement.names) {
      found[name] = std::nullopt;
    }
    try {
      const Measured measured = measure(measurement);
      for (const std::string & name : measurement.names) {
        if (const auto value = measured.values.find(name); value != measured.values.end()) {
          found[name] = value->second;
        }
      }
      outcome.peak_megabytes = std::max(outcome.peak_megabytes, measured.peak_megabytes);
    } catch (const std::exception & error) {
      say(joined(measurement.names) + ": " + first_line(error));
    }
  }
  for (const Target & target : targets()) {
    if (const auto result = found.find(target.name); result != found.end()) {
      outcome.results.push_back({target, result->second});
    }
  }
  return outcome;
}

nlohmann::ordered_json to_json(const Outcome & outcome, const Machine & machine)
{
  using Json = nlohmann::ordered_json;
  Json results = Json::array();
  for (const Result & result : outcome.results) {
    results.push_back(
      {{"name", result.target.name},
       {"value", result.value ? Json(*result.value) : Json()},
       {"unit", result.target.unit}});
  }
  return {
    {"results", results},
    {"machine",
     {{"cpu", machine.cpu},
      {"cores", machine.cores},
      {"threads", machine.threads},
      {"libtorch", machine.libtorch},
      {"onednn", machine.onednn},
      {"opencv", machine.opencv},
      {"blas", machine.blas},
      {"mgproto_ros", machine.package},
      {"peak_memory_mb", outcome.peak_megabytes}}}};
}

std::string limit_text(const Target & target)
{
  return (target.at_most ? "≤ " : "≥ ") + general(target.limit, kDigits);
}

std::string value_text(const Result & result)
{
  return result.value ? general(*result.value, kDigits) : "-";
}

std::string verdict_text(const Result & result)
{
  if (!result.value) {
    return "not measured";
  }
  return result.target.met_by(*result.value) ? "ok" : "missed";
}

}  // namespace mgproto::bench
