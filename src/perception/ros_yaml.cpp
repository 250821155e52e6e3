// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "perception/ros_yaml.hpp"

#include <yaml-cpp/eventhandler.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>

#include "model/printable.hpp"

namespace mgproto::perception
{
namespace
{

int line_of(const YAML::Mark & mark) { return std::max(mark.line, 0) + 1; }

/// Refuses aliases, for a few lines of them can stand for gigabytes, and remembers where the last
/// document began.
class Structure : public YAML::EventHandler
{
public:
  int document_line = 0;

  void OnDocumentStart(const YAML::Mark & mark) override { document_line = line_of(mark); }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark &, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark & mark, YAML::anchor_t) override
  {
    throw YamlError(line_of(mark), "an alias, which ROS parameters cannot have");
  }
  void OnScalar(
    const YAML::Mark &, const std::string &, YAML::anchor_t, const std::string &) override
  {
  }
  void OnSequenceStart(
    const YAML::Mark &, const std::string &, YAML::anchor_t, YAML::EmitterStyle::value) override
  {
  }
  void OnSequenceEnd() override {}
  void OnMapStart(
    const YAML::Mark &, const std::string &, YAML::anchor_t, YAML::EmitterStyle::value) override
  {
  }
  void OnMapEnd() override {}
};

/// YAML::Load() ignores whatever follows the first document, even a lone comma or bracket that it
/// took for the end of one; YAML::LoadAll() never returns from those.
void check_structure(const std::string & text)
{
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  Structure structure;
  if (parser.HandleNextDocument(structure) && parser.HandleNextDocument(structure)) {
    throw YamlError(structure.document_line, "expected nothing behind the first YAML document");
  }
}

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
    throw YamlError(
      line_of(node.Mark()), "tag '" + printable(tag) + "', expected none other than !!str");
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

YAML::Node parse_ros_yaml(const std::string & text)
{
  // yaml-cpp takes some of these for the end of the text.
  const auto is_text = [](char c) {
    return static_cast<unsigned char>(c) >= 0x20 || c == '\t' || c == '\n' || c == '\r';
  };
  const auto bad = std::find_if_not(text.begin(), text.end(), is_text);
  if (bad != text.end()) {
    const auto line = 1 + std::count(text.begin(), bad, '\n');
    throw YamlError(static_cast<int>(line), "not valid YAML: a control character");
  }
  try {
    check_structure(text);
    return YAML::Load(text);
  } catch (const YAML::Exception & error) {
    throw YamlError(line_of(error.mark), "not valid YAML: " + error.msg);
  }
}

Value to_value(const YAML::Node & node)
{
  if (node.IsScalar()) {
    return scalar_value(node);
  }
  if (!node.IsSequence()) {
    throw YamlError(
      line_of(node.Mark()), node.IsMap() ? "expected a value, not a map" : "no value is given");
  }
  std::vector<std::string> list;
  for (const YAML::Node & item : node) {
    const Value value = item.IsScalar() ? scalar_value(item) : Value(false);
    const auto * text = std::get_if<std::string>(&value);
    if (!text) {
      const std::string shown = item.IsScalar() ? "'" + printable(item.Scalar()) + "'" : "another";
      throw YamlError(
        line_of(item.Mark()), "expected a list of strings, but " + shown + " is none; use quotes");
    }
    list.push_back(*text);
  }
  return list;
}

}  // namespace mgproto::perception
