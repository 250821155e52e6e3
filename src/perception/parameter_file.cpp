// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "perception/parameter_file.hpp"

#include <algorithm>
#include <set>

#include "mgproto_ros/error.hpp"
#include "model/file_io.hpp"
#include "model/printable.hpp"
#include "perception/ros_yaml.hpp"

namespace mgproto::perception
{
namespace
{

constexpr const char * kParametersKey = "ros__parameters";

using Names = std::vector<std::string>;

/// The parts between separators; empty ones are left out.
Names split(const std::string & text, char separator)
{
  Names parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    if (end > begin) {
      parts.push_back(text.substr(begin, end - begin));
    }
    begin = end + 1;
  }
  return parts;
}

/// Whether `*` for one name and `**` for any number of names make the pattern the node's name.
bool matches(
  Names::const_iterator pattern, Names::const_iterator pattern_end, Names::const_iterator name,
  Names::const_iterator name_end)
{
  if (pattern == pattern_end) {
    return name == name_end;
  }
  if (*pattern == "**") {
    return matches(pattern + 1, pattern_end, name, name_end) ||
           (name != name_end && matches(pattern, pattern_end, name + 1, name_end));
  }
  return name != name_end && (*pattern == "*" || *pattern == *name) &&
         matches(pattern + 1, pattern_end, name + 1, name_end);
}

/// Walks down the node names of a file to its parameters, and those to their values.
class Reader
{
public:
  Reader(const std::string & path, const std::string & full_node_name, const CheckOf & check_of)
  : path_(path), node_(split(full_node_name, '/')), check_of_(check_of)
  {
  }

  std::vector<Assignment> read(const YAML::Node & root)
  {
    if (root.IsMap()) {
      read_nodes(root, {});
    } else if (!root.IsNull()) {
      fail(line_of(root), std::string("expected names of nodes, then ") + kParametersKey);
    }
    return found_;
  }

private:
  void read_nodes(const YAML::Node & map, const Names & above)
  {
    for (const auto & entry : map) {
      const std::string key = key_of(entry.first);
      if (key != kParametersKey) {
        if (!entry.second.IsMap()) {
          fail(line_of(entry.first), printable(key) + ": expected " + kParametersKey + " above it");
        }
        Names pattern = above;
        for (const std::string & name : split(key, '/')) {
          pattern.push_back(name);
        }
        read_nodes(entry.second, pattern);
      } else if (above.empty()) {
        fail(line_of(entry.first), key + " without the name of a node above it, such as /**");
      } else if (matches(above.begin(), above.end(), node_.begin(), node_.end())) {
        if (!entry.second.IsMap()) {
          fail(line_of(entry.first), "expected parameters, each as name: value");
        }
        read_parameters(entry.second, "");
      }
    }
  }

  void read_parameters(const YAML::Node & map, const std::string & prefix)
  {
    for (const auto & entry : map) {
      const std::string name = prefix + key_of(entry.first);
      if (entry.second.IsMap()) {
        read_parameters(entry.second, name + ".");
      } else if (!belongs_to_ros(name)) {
        found_.push_back({name, value_of(name, entry.first, entry.second)});
      }
    }
  }

  std::string key_of(const YAML::Node & key) const
  {
    if (!key.IsScalar() || key.Scalar().empty()) {
      fail(line_of(key), "expected a name as key");
    }
    return key.Scalar();
  }

  Value value_of(const std::string & name, const YAML::Node & key, const YAML::Node & value) const
  {
    try {
      const auto check = check_of_(name);
      return check(to_value(value));
    } catch (const YamlError & error) {
      fail(value.IsSequence() ? error.line() : line_of(key), printable(name) + ": " + error.what());
    } catch (const ConfigError & error) {
      fail(line_of(key), error.what());
    }
  }

  static int line_of(const YAML::Node & node) { return node.Mark().line + 1; }

  [[noreturn]] void fail(int line, const std::string & problem) const
  {
    throw FileError(path_, "line " + std::to_string(line) + ": " + problem);
  }

  const std::string path_;
  const Names node_;
  const CheckOf & check_of_;
  std::vector<Assignment> found_;
};

}  // namespace

std::vector<Assignment> read_parameter_file(
  const std::string & path, const std::string & full_node_name, const CheckOf & check_of)
{
  const std::string text = read_text(path, "a parameter file");
  try {
    return Reader(path, full_node_name, check_of).read(parse_yaml(text));
  } catch (const YamlError & error) {
    throw FileError(path, "line " + std::to_string(error.line()) + ": " + error.what());
  }
}

bool belongs_to_ros(const std::string & name)
{
  static const std::set<std::string> whole = {"use_sim_time", "start_type_description_service"};
  static const std::set<std::string> prefixes = {"qos_overrides", "diagnostic_updater"};
  static const std::set<std::string> transports = {
    "compressed", "compressedDepth", "theora", "zstd", "ffmpeg"};
  const Names parts = split(name, '.');
  if (parts.size() < 2) {
    return whole.count(name) > 0;
  }
  return prefixes.count(parts.front()) > 0 || parts.back() == "enable_pub_plugins" ||
         std::any_of(parts.begin(), parts.end(), [](const std::string & part) {
           return transports.count(part) > 0;
         });
}

}  // namespace mgproto::perception
