// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "bench/bench.hpp"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "bench/process_memory.hpp"

namespace mgproto::bench
{
namespace
{

std::string number(double value)
{
  char text[32];
  std::snprintf(text, sizeof(text), "%.4g", value);
  return text;
}

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

const std::vector<Measurement> & measurements()
{
  static const std::vector<Measurement> all{
    {{"memory_growth_10k_frames"}, measure_frame_memory},
    {{"projection_memory_growth_10x"}, measure_projection_memory},
    {{"head_over_backbone_c200", "head_over_backbone_c1000", "evidence_over_backbone"},
     measure_head},
    {{"backbone_over_best"}, measure_backbone},
    {{"head_speedup_over_authors_c200", "inference_speedup_over_authors"}, measure_authors_head},
    {{"node_over_backbone", "node_full_over_backbone"}, measure_node},
    {{"demo_node_overhead_ms"}, measure_demo_node},
    {{"load_over_read_plus_pass"}, measure_loading},
    {{"em_speedup_over_authors_c200"}, measure_em},
    {{"projection_over_forward"}, measure_projection},
    {{"evaluation_over_passes"}, measure_evaluation},
    {{"train_wait_share"}, measure_train_wait},
    {{"train_step_over_backbone", "em_over_train_step_16"}, measure_train_step}};
  return all;
}

std::vector<Measurement> measurements_of(const std::vector<std::string> & targets)
{
  if (targets.empty()) {
    return measurements();
  }
  std::vector<Measurement> wanted;
  for (const Measurement & measurement : measurements()) {
    Measurement part{{}, measurement.run};
    for (const std::string & name : measurement.names) {
      if (std::find(targets.begin(), targets.end(), name) != targets.end()) {
        part.names.push_back(name);
      }
    }
    if (!part.names.empty()) {
      wanted.push_back(part);
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
  return (target.at_most ? "≤ " : "≥ ") + number(target.limit);
}

std::string value_text(const Result & result) { return result.value ? number(*result.value) : "-"; }

std::string verdict_text(const Result & result)
{
  if (!result.value) {
    return "not measured";
  }
  return result.target.met_by(*result.value) ? "ok" : "missed";
}

}  // namespace mgproto::bench
