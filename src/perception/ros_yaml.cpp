// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "perception/ros_yaml.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <set>
#include <string_view>

#include "model/printable.hpp"

namespace mgproto::perception
{
namespace
{

int line_of(const YAML::Node & node) { return std::max(node.Mark().line, 0) + 1; }

std::optional<bool> to_bool(const std::string & text)
{
  static const std::set<std::string> yes = {"Y",    "y",    "yes", "Yes", "YES", "true",
                                            "True", "TRUE", "on",  "On",  "ON"};
  static const std::set<std::string> no = {"N",     "n",     "no",  "No",  "NO", "false",
                                           "False", "FALSE", "off", "Off", "OFF"};
  if (yes.count(text) == 0 && no.count(text) == 0) {
    return std::nullopt;
  }
  return yes.count(text) > 0;
}

/// Also hexadecimal (0x10) and octal (010).
std::optional<std::int64_t> to_integer(const std::string & text)
{
  constexpr int kByPrefix = 0;
  char * end = nullptr;
  errno = 0;
  const long long value = std::strtoll(text.c_str(), &end, kByPrefix);
  if (errno != 0 || end == text.c_str() || *end != '\0') {
    return std::nullopt;
  }
  return value;
}

/// In the classic locale, whatever the program's is.
std::optional<double> to_double(const std::string & text)
{
  std::string_view rest = text;
  const bool negative = !rest.empty() && rest.front() == '-';
  if (negative || (!rest.empty() && rest.front() == '+')) {
    rest.remove_prefix(1);
  }
  if (!rest.empty() && rest.front() == '-') {
    return std::nullopt;  // two signs, of which from_chars() would take the second
  }
  for (const char * infinity : {".inf", ".Inf", ".INF"}) {
    if (rest == infinity) {
      return (negative ? -1 : 1) * std::numeric_limits<double>::infinity();
    }
  }
  for (const char * nan : {".nan", ".NaN", ".NAN"}) {
    if (rest == nan) {
      return std::numeric_limits<double>::quiet_NaN();
    }
  }
  double value = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (error != std::errc() || end != rest.data() + rest.size()) {
    return std::nullopt;
  }
  return negative ? -value : value;
}

Value scalar_value(const YAML::Node & node)
{
  const std::string & text = node.Scalar();
  const std::string & tag = node.Tag();
  if (tag == "!" || tag == "tag:yaml.org,2002:str") {
    return text;
  }
  if (!tag.empty() && tag != "?") {
    throw YamlError(line_of(node), "tag '" + printable(tag) + "', expected none other than !!str");
  }
  if (const auto value = to_bool(text)) {
    return *value;
  }
  if (const auto value = to_integer(text)) {
    return *value;
  }
  if (const auto value = to_double(text)) {
    return *value;
  }
  return text;
}

}  // namespace

Value to_value(const YAML::Node & node)
{
  if (node.IsScalar()) {
    return scalar_value(node);
  }
  if (!node.IsSequence()) {
    throw YamlError(
      line_of(node), node.IsMap() ? "expected a value, not a map" : "no value is given");
  }
  std::vector<std::string> list;
  for (const YAML::Node & item : node) {
    const Value value = item.IsScalar() ? scalar_value(item) : Value(false);
    const auto * text = std::get_if<std::string>(&value);
    if (!text) {
      const std::string shown = item.IsScalar() ? "'" + printable(item.Scalar()) + "'" : "another";
      throw YamlError(
        line_of(item), "expected a list of strings, but " + shown + " is none; use quotes");
    }
    list.push_back(*text);
  }
  return list;
}

}  // namespace mgproto::perception
