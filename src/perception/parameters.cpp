// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "perception/parameters.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "mgproto_ros/error.hpp"
#include "model/nearest_name.hpp"
#include "model/printable.hpp"

namespace mgproto::perception
{
namespace
{

constexpr std::size_t kLongestShownName = 60;

std::string shortest(double value)
{
  constexpr double kMostWithoutExponent = 1e15;
  if (std::abs(value) < kMostWithoutExponent && value == std::floor(value)) {
    return std::to_string(static_cast<std::int64_t>(value));
  }
  std::array<char, 32> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return std::string(buffer.data(), end);
}

struct Show
{
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const
  {
    const std::string text = shortest(value);
    const bool looks_whole = text.find_first_not_of("-0123456789") == std::string::npos;
    return looks_whole ? text + ".0" : text;
  }
  std::string operator()(const std::string & value) const { return '"' + printable(value) + '"'; }
  std::string operator()(const std::vector<std::string> & value) const
  {
    std::string text;
    for (const std::string & item : value) {
      text += (text.empty() ? "" : ", ") + (*this)(item);
    }
    return '[' + printable(text) + ']';
  }
};

template <class S>
std::string range(const ParameterOf<S> & parameter)
{
  if (parameter.minimum && parameter.maximum) {
    return shortest(*parameter.minimum) + " to " + shortest(*parameter.maximum);
  }
  return parameter.constraints;
}

template <class S>
std::string expected(const ParameterOf<S> & parameter)
{
  struct Kind
  {
    std::string operator()(bool) const { return "true or false"; }
    std::string operator()(std::int64_t) const { return "an integer"; }
    std::string operator()(double) const { return "a number"; }
    std::string operator()(const std::string &) const { return "a string"; }
    std::string operator()(const std::vector<std::string> &) const { return "a list of strings"; }
  };
  const std::string kind = std::visit(Kind(), parameter.get(S()));
  const std::string allowed = range(parameter);
  return kind + (allowed.empty() ? "" : ", " + allowed);
}

template <class S>
bool in_range(const ParameterOf<S> & parameter, double value)
{
  return std::isfinite(value) && value >= parameter.minimum.value_or(value) &&
         value <= parameter.maximum.value_or(value);
}

template <class S>
bool is_allowed(const ParameterOf<S> & parameter, const Value & value)
{
  if (const auto * integer = std::get_if<std::int64_t>(&value)) {
    return in_range(parameter, static_cast<double>(*integer));
  }
  if (const auto * number = std::get_if<double>(&value)) {
    return in_range(parameter, *number);
  }
  return !parameter.meets_constraints || parameter.meets_constraints(value);
}

template <class S>
void check_values(const S & settings)
{
  for (const ParameterOf<S> & parameter : parameters<S>()) {
    checked(parameter, parameter.get(settings));
  }
}

}  // namespace

template <class S>
const ParameterOf<S> * find_parameter(const std::string & name)
{
  const auto & table = parameters<S>();
  const auto found = std::find_if(
    table.begin(), table.end(), [&](const auto & entry) { return entry.name == name; });
  return found == table.end() ? nullptr : &*found;
}

template <class S>
const ParameterOf<S> & known_parameter(const std::string & name)
{
  if (const ParameterOf<S> * parameter = find_parameter<S>(name)) {
    return *parameter;
  }
  std::vector<std::string> names;
  for (const ParameterOf<S> & parameter : parameters<S>()) {
    names.push_back(parameter.name);
  }
  const std::string nearest = nearest_name(name.substr(0, kLongestShownName), names);
  throw ConfigError(printable(name), "unknown parameter, did you mean " + nearest + "?");
}

template <class S>
Value checked(const ParameterOf<S> & parameter, const Value & value)
{
  const Value example = parameter.get(S());
  const auto * integer = std::get_if<std::int64_t>(&value);
  Value converted = integer && std::holds_alternative<double>(example)
                      ? Value(static_cast<double>(*integer))
                      : value;
  if (converted.index() != example.index() || !is_allowed(parameter, converted)) {
    throw ConfigError(
      parameter.name, "expected " + expected(parameter) + ", not " + std::visit(Show(), value));
  }
  return converted;
}

template <class S>
S with_values(const S & settings, const std::vector<Assignment> & values, bool running)
{
  S changed = settings;
  for (const Assignment & assignment : values) {
    const ParameterOf<S> & parameter = known_parameter<S>(assignment.name);
    if (running && !parameter.dynamic) {
      throw ConfigError(parameter.name, "cannot change while the node runs");
    }
    parameter.set(changed, checked(parameter, assignment.value));
  }
  return changed;
}

void check_settings(const Settings & settings)
{
  check_values(settings);
  if (settings.model.empty()) {
    throw ConfigError("model", "name a checkpoint, as in model:=/path/to/model.safetensors");
  }
}

void check_settings(const GateSettings & settings)
{
  check_values(settings);
  if (settings.speed_untrusted > settings.speed_trusted) {
    throw ConfigError(
      "speed.untrusted", "expected at most speed.trusted, which is " +
                           shortest(settings.speed_trusted) + ", not " +
                           shortest(settings.speed_untrusted));
  }
}

std::string type_name(const Value & value)
{
  constexpr std::array names = {"bool", "integer", "double", "string", "string_array"};
  static_assert(names.size() == std::variant_size_v<Value>);
  return names[value.index()];
}

template <class S>
std::string parameters_markdown()
{
  std::string text =
    "| name | type | default | range | changes | description |\n"
    "|---|---|---|---|---|---|\n";
  for (const ParameterOf<S> & parameter : parameters<S>()) {
    const Value value = parameter.get(S());
    text += "| `" + parameter.name + "` | " + type_name(value) + " | `" +
            std::visit(Show(), value) + "` | " + range(parameter) + " | " +
            (parameter.dynamic ? "dynamic" : "fixed") + " | " + parameter.description + " |\n";
  }
  return text;
}

// For each of the tables there are.
template const ParameterOf<Settings> * find_parameter(const std::string &);
template const ParameterOf<Settings> & known_parameter(const std::string &);
template Value checked(const ParameterOf<Settings> &, const Value &);
template Settings with_values(const Settings &, const std::vector<Assignment> &, bool);
template std::string parameters_markdown<Settings>();
template const ParameterOf<GateSettings> * find_parameter(const std::string &);
template const ParameterOf<GateSettings> & known_parameter(const std::string &);
template Value checked(const ParameterOf<GateSettings> &, const Value &);
template GateSettings with_values(const GateSettings &, const std::vector<Assignment> &, bool);
template std::string parameters_markdown<GateSettings>();

}  // namespace mgproto::perception
