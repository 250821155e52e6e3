// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/config_file.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>
#include <utility>

#include "mgproto_ros/error.hpp"
#include "model/file_io.hpp"
#include "model/nearest_name.hpp"
#include "model/yaml_document.hpp"
#include "training/config_settings.hpp"
#include "training/config_values.hpp"

namespace mgproto
{
namespace
{

constexpr std::string_view kPreset = "preset";
constexpr std::string_view kOodEntry = "data.ood.";  // an override may give one entry of this map

/// A key with its value, and where it was given.
struct Assignment
{
  std::string key;
  YAML::Node value;
  std::string place;  ///< for errors: file and line, or the override

  [[noreturn]] void fail(const std::string & problem) const
  {
    throw ConfigError(one_line(key), problem + " (" + place + ")");
  }
  [[noreturn]] void fail_expected(const std::string & expected) const
  {
    fail("expected " + expected + ", not " + shown(value));
  }
};

const Setting * find_setting(const std::string & key)
{
  for (const Setting & setting : settings()) {
    if (setting.key == key) {
      return &setting;
    }
  }
  return nullptr;
}

std::string section_of(const std::string & key) { return key.substr(0, key.find('.') + 1); }
std::string name_of(const std::string & key) { return key.substr(key.rfind('.') + 1); }

bool is_section(const std::string & key)
{
  const auto & table = settings();
  return std::any_of(table.begin(), table.end(), [&](const Setting & setting) {
    return section_of(setting.key) == key + ".";
  });
}

std::string nearest_key(const std::string & key)
{
  std::vector<std::string> known{std::string(kPreset)};
  for (const Setting & setting : settings()) {
    known.push_back(setting.key);
  }
  return nearest_name(key, known);
}

/// Takes maps apart into settings, with all their keys checked.
class Collector
{
public:
  /// `place` says where a key is, for errors.
  explicit Collector(std::function<std::string(int line)> place) : place_(std::move(place)) {}

  void collect(const YAML::Node & map, const std::string & prefix)
  {
    for (const auto & entry : map) {
      const int line = entry.first.Mark().line + 1;
      if (!entry.first.IsScalar()) {
        throw ConfigError(prefix + "?", "expected a name as key (" + place_(line) + ")");
      }
      collect_one(prefix + entry.first.Scalar(), entry.second, line);
    }
  }

  void collect_one(const std::string & key, const YAML::Node & value, int line)
  {
    const Assignment assignment{key, value, place_(line)};
    const auto [first, is_new] = first_line_.emplace(key, line);
    if (!is_new) {
      assignment.fail(
        "given twice" +
        (first->second == line ? "" : ", first in line " + std::to_string(first->second)));
    }
    if (find_setting(key) || key == kPreset) {
      found_.push_back(assignment);
    } else if (!is_section(key)) {
      assignment.fail("unknown key, did you mean " + nearest_key(key) + "?");
    } else if (value.IsMap()) {
      collect(value, key + ".");
    } else if (!value.IsNull()) {
      assignment.fail_expected("a map of settings");
    }
  }

  const std::vector<Assignment> & found() const { return found_; }

private:
  std::vector<Assignment> found_;
  std::function<std::string(int)> place_;
  std::map<std::string, int> first_line_;  // of each key
};

YAML::Node parse_file(const std::string & path)
{
  try {
    return parse_yaml(read_text(path, "a config"));
  } catch (const YamlError & error) {
    throw FileError(path, "line " + std::to_string(error.line()) + ": " + error.what());
  }
}

std::vector<Assignment> assignments_of_file(const std::string & path)
{
  const YAML::Node root = parse_file(path);
  if (!root.IsMap() && !root.IsNull()) {
    throw FileError(path, "not a config: expected a map of settings, not " + shown(root));
  }
  Collector collector([&](int line) { return path + ", line " + std::to_string(line); });
  if (root.IsMap()) {
    collector.collect(root, "");
  }
  return collector.found();
}

std::vector<Assignment> assignments_of_override(const std::string & text)
{
  const auto equals = text.find('=');
  Assignment assignment{text.substr(0, equals), {}, "override " + shown(text)};
  const std::string & key = assignment.key;
  if (equals == std::string::npos || key.empty()) {
    assignment.fail("expected key=value");
  }
  if (find_non_text(key) != std::string::npos) {
    assignment.fail("not UTF-8 text");
  }
  try {
    assignment.value = parse_yaml(text.substr(equals + 1));
  } catch (const YamlError & error) {
    assignment.fail(error.what());
  }
  if (key.size() > kOodEntry.size() && key.compare(0, kOodEntry.size(), kOodEntry) == 0) {
    return {assignment};
  }
  Collector collector([&](int) { return assignment.place; });
  collector.collect_one(key, assignment.value, 1);
  return collector.found();
}

std::string expected_by(const Setting & setting)
{
  if (setting.type == "choice") {
    return "one of " + setting.range;
  }
  if (setting.type == "boolean") {
    return "true or false";
  }
  const std::string article = setting.type == "integer" ? "an " : "a ";
  return article + setting.type + (setting.range.empty() ? "" : ", " + setting.range);
}

TrainingConfig preset(const Assignment & assignment)
{
  std::string name;
  if (read_value(assignment.value, name) && name == "paper") {
    return paper_preset();
  }
  if (name == "closed_form") {
    return closed_form_preset();
  }
  if (name != "default") {
    assignment.fail_expected("one of paper, default, closed_form");
  }
  return default_preset();
}

void apply(const Assignment & assignment, TrainingConfig & config)
{
  if (const Setting * setting = find_setting(assignment.key)) {
    if (!setting->read(assignment.value, config)) {
      assignment.fail_expected(expected_by(*setting));
    }
  } else if (assignment.key != kPreset) {
    YAML::Node map;
    map[assignment.key.substr(kOodEntry.size())] = assignment.value;
    std::map<std::string, std::string> entry;
    if (!read_value(map, entry)) {
      assignment.fail_expected("a path");
    }
    entry.merge(config.data.ood);
    config.data.ood = entry;
  }
}

TrainingConfig changed(
  TrainingConfig config, std::vector<Assignment> assignments,
  const std::vector<std::string> & overrides)
{
  for (const std::string & text : overrides) {
    const auto more = assignments_of_override(text);
    assignments.insert(assignments.end(), more.begin(), more.end());
  }
  for (const Assignment & assignment : assignments) {
    if (assignment.key == kPreset) {
      config = preset(assignment);
    }
  }
  for (const Assignment & assignment : assignments) {
    apply(assignment, config);
  }
  return config;
}

}  // namespace

TrainingConfig paper_preset() { return {}; }

TrainingConfig default_preset()
{
  // The published constants let the prototypes of a class collapse into one point; a sharp E-step
  // keeps them apart, and then the full weight of the diversity term would push them off the data.
  TrainingConfig config = paper_preset();
  config.em.init = EmConfig::Init::kmeans;
  config.em.smoothing = 0.01;
  config.em.sharpness = 32;
  config.em.diversity_weight = 0.1;
  config.finish.criterion = Criterion::joint;
  return config;
}

TrainingConfig closed_form_preset()
{
  TrainingConfig config = default_preset();
  config.network.model.head.combine = HeadConfig::Combine::product;
  config.network.model.head.whole = 0.5;
  config.add_on.init = AddOnConfig::Init::whitened;
  config.add_on.refit = true;
  config.loss.mining_weight = 0;
  config.schedule.epochs = 6;  // before em.start
  config.schedule.batch = 20;
  config.schedule.add_on_rate = 0;
  config.schedule.decay = ScheduleConfig::Decay::cosine;
  config.schedule.frozen_statistics = true;
  config.finish.fit_concentration = true;
  return config;
}

TrainingConfig read_training_config(
  const std::string & path, const std::vector<std::string> & overrides)
{
  return changed(default_preset(), assignments_of_file(path), overrides);
}

TrainingConfig with_overrides(TrainingConfig config, const std::vector<std::string> & overrides)
{
  return changed(std::move(config), {}, overrides);
}

std::string to_yaml(const TrainingConfig & config)
{
  std::string text =
    "# Every setting of a training; relative paths start at the current directory.\n";
  std::string section;
  for (const Setting & setting : settings()) {
    if (section_of(setting.key) != section) {
      section = section_of(setting.key);
      text += "\n" + section.substr(0, section.size() - 1) + ":\n";
    }
    text += (section.empty() ? "" : "  ") + name_of(setting.key) + ": " + setting.write(config) +
            "  # " + setting.meaning + "\n";
  }
  return text;
}

std::string settings_markdown()
{
  const TrainingConfig defaults = default_preset();
  const TrainingConfig paper = paper_preset();
  std::string text =
    "# Settings of a training\n\n"
    "| key | type | default | range | meaning |\n"
    "|---|---|---|---|---|\n"
    "| `preset` | choice | `default` | paper, default, closed_form | values of all settings not "
    "given: the published constants, this package's own, or those of `mgproto fit` |\n";
  for (const Setting & setting : settings()) {
    const std::string value = setting.write(defaults);
    const std::string published = setting.write(paper);
    text += "| `" + setting.key + "` | " + setting.type + " | `" + value + "`" +
            (value == published ? "" : " (paper: `" + published + "`)") + " | " + setting.range +
            " | " + setting.meaning + " |\n";
  }
  return text + "\nRelative paths are relative to the directory that the training is started in.\n";
}

}  // namespace mgproto
