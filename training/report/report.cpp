// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/report/report.hpp"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
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

namespace mgproto
{
namespace
{

namespace fs = std::filesystem;
using nlohmann::json;

std::optional<std::string> read_text(const fs::path & path)
{
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return std::nullopt;
  }
  return std::string(std::istreambuf_iterator<char>(file), {});
}

/// Null while there are none.
json read_results(const fs::path & path)
{
  const std::optional<std::string> text = read_text(path);
  if (!text) {
    return nullptr;
  }
  json results = json::parse(*text, nullptr, false);
  if (!results.is_object()) {
    throw FileError(path.string(), "is not a JSON object");
  }
  return results;
}

/// Removes and returns the member `name`; null if there is none.
json take(json & object, const std::string & name)
{
  json value;
  if (object.is_object() && object.contains(name)) {
    value = std::move(object[name]);
    object.erase(name);
  }
  return value;
}

/// The prototypes' pictures, in their order. They are most of the page, so they are kept apart from
/// the rest, for the page to read when the first one comes into view.
json take_pictures(json & results)
{
  json pictures = json::array();
  if (results.is_object() && results.contains("prototypes")) {
    for (json & prototype : results["prototypes"]) {
      json patch = take(prototype, "patch");
      json heat = take(prototype, "heat");
      pictures.push_back({{"patch", std::move(patch)}, {"heat", std::move(heat)}});
    }
  }
  return pictures;
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

json page_data(const fs::path & run, json results)
{
  const json log_density = take(results, "log_density");
  const json threshold = results.is_object() ? results.value("threshold", json()) : json();
  const std::optional<std::string> config = read_text(run / "config.yaml");
  std::ifstream metrics(run / "metrics.jsonl");
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return {
    {"run", fs::weakly_canonical(run).filename().string()},
    {"written", std::chrono::duration_cast<std::chrono::milliseconds>(now).count()},
    {"config", config ? json(*config) : json()},
    {"curves", read_curves(metrics)},
    {"densities", density_histograms(log_density, threshold)},
    {"results", std::move(results)}};
}

/// The page with each {{name}} replaced. What is filled in is never searched for names.
std::vector<ByteSpan> fill(
  std::string_view page, const std::map<std::string_view, std::string_view> & values)
{
  std::vector<ByteSpan> parts;
  const auto add = [&parts](std::string_view text) { parts.push_back({text.data(), text.size()}); };
  for (;;) {
    const std::size_t begin = page.find("{{");
    if (begin == std::string_view::npos) {
      add(page);
      return parts;
    }
    const std::size_t end = page.find("}}", begin);
    add(page.substr(0, begin));
    add(values.at(page.substr(begin + 2, end - begin - 2)));
    page.remove_prefix(end + 2);
  }
}

}  // namespace

void write_report(const std::string & run_directory)
{
  const fs::path run(run_directory);
  json results = read_results(run / "results.json");
  const std::string pictures = script_json(take_pictures(results));
  const std::string data = script_json(page_data(run, std::move(results)));
  write_atomically(
    (run / "report.html").string(), fill(
                                      report_page::page_html, {{"style", report_page::page_css},
                                                               {"data", data},
                                                               {"pictures", pictures},
                                                               {"charts", report_page::charts_js},
                                                               {"classes", report_page::classes_js},
                                                               {"gallery", report_page::gallery_js},
                                                               {"script", report_page::page_js}}));
}

}  // namespace mgproto
