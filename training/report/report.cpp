// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/report/report.hpp"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "mgproto_ros/error.hpp"
#include "model/file_io.hpp"
#include "report_page.hpp"  // generated from training/report/page by cmake/Embed.cmake
#include "training/report/curves.hpp"
#include "training/report/densities.hpp"
#include "training/report/fill_page.hpp"
#include "training/report/results_json.hpp"

namespace mgproto
{
namespace
{

namespace fs = std::filesystem;
using nlohmann::json;

std::optional<std::string> text_of(const fs::path & path)
{
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return std::nullopt;
  }
  return std::string(std::istreambuf_iterator<char>(file), {});
}

/// JSON to stand inside <script>. '<' only occurs within its strings, where it can be written so
/// that no text can end the element or begin another.
std::string script_json(const json & value)
{
  const std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
  std::string escaped;
  escaped.reserve(text.size());
  for (const char c : text) {
    if (c == '<') {
      escaped += "\\u003c";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

json densities_json(const TrainingResults & results)
{
  const auto densities =
    density_histograms(results.joint.value_or(results.log_density), results.threshold);
  const auto or_null = [](const std::optional<double> & value) {
    return value ? json(*value) : json();
  };
  json sets = json::array();
  for (const visual::DensityHistogram & set : densities.sets) {
    sets.push_back(
      {{"name", set.name},
       {"kind", set.to_reject ? "ood" : set.name},
       {"images", set.images},
       {"accepted", or_null(set.accepted)},
       {"shares", set.shares}});
  }
  if (sets.empty()) {
    return nullptr;
  }
  return {
    {"from", densities.from},
    {"to", densities.to},
    {"threshold", or_null(densities.threshold)},
    {"sets", sets}};
}

/// The finished model of the baseline as a row beside the stages of the run; null without one.
json baseline_stage(const fs::path & run)
{
  const std::optional<std::string> text = text_of(run / kBaseline / "results.json");
  const json results = text ? json::parse(*text, nullptr, /*allow_exceptions=*/false) : json();
  const json stages = results.is_object() ? results.value("stages", json::array()) : json::array();
  if (stages.empty()) {
    return nullptr;
  }
  json stage = stages.back();
  stage["name"] = "nothing trained (fit)";
  return stage;
}

json page_data(const fs::path & run, const TrainingResults * results)
{
  const std::optional<std::string> config = text_of(run / "config.yaml");
  std::ifstream metrics(run / "metrics.jsonl");
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return {
    {"run", fs::weakly_canonical(run).filename().string()},
    {"written", std::chrono::duration_cast<std::chrono::milliseconds>(now).count()},
    {"config", config ? json(*config) : json()},
    {"curves", read_curves(metrics)},
    {"baseline", baseline_stage(run)},
    {"densities", results != nullptr ? densities_json(*results) : json()},
    {"results", results != nullptr ? results_json(*results) : json()}};
}

}  // namespace

void write_report(const std::string & run_directory, const TrainingResults * results)
{
  const fs::path run(run_directory);
  // Pictures are most of the page, so they are kept apart from the rest, for the page to read when
  // the first one comes into view.
  const std::string pictures =
    script_json(results != nullptr ? pictures_json(*results) : json::array());
  const std::string data = script_json(page_data(run, results));
  std::vector<ByteSpan> parts;
  for (const std::string_view part : fill_page(
         report_page::page_html, {{"common_style", report_page::common_css},
                                  {"style", report_page::page_css},
                                  {"data", data},
                                  {"pictures", pictures},
                                  {"common", report_page::common_js},
                                  {"charts", report_page::charts_js},
                                  {"classes", report_page::classes_js},
                                  {"gallery", report_page::gallery_js},
                                  {"script", report_page::page_js}})) {
    parts.push_back({part.data(), part.size()});
  }
  write_atomically((run / "report.html").string(), parts);
}

}  // namespace mgproto
