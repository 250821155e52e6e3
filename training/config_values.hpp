// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__CONFIG_VALUES_HPP_
#define TRAINING__CONFIG_VALUES_HPP_

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mgproto
{

/// Values of settings from YAML. False if the node is not such a value; `value` is then undefined.
/// Stricter than yaml-cpp and independent of the locale: "5" in quotes is no number, 010 is ten,
/// and only true and false are booleans.
bool read_value(const YAML::Node & node, int & value);
bool read_value(const YAML::Node & node, std::uint64_t & value);
bool read_value(const YAML::Node & node, float & value);
bool read_value(const YAML::Node & node, double & value);
bool read_value(const YAML::Node & node, bool & value);
/// Any scalar; no value at all (`key:`) is an empty text.
bool read_value(const YAML::Node & node, std::string & value);
/// A map of names to texts, each name once; no value at all is an empty map.
bool read_value(const YAML::Node & node, std::map<std::string, std::string> & value);

template <typename Number>
bool read_value(const YAML::Node & node, std::vector<Number> & value)
{
  value.clear();
  if (!node.IsSequence()) {
    return false;
  }
  for (const YAML::Node & item : node) {
    Number number{};
    if (!read_value(item, number)) {
      return false;
    }
    value.push_back(number);
  }
  return true;
}

template <typename Number, std::size_t size>
bool read_value(const YAML::Node & node, std::array<Number, size> & value)
{
  std::vector<Number> list;
  if (!read_value(node, list) || list.size() != size) {
    return false;
  }
  std::copy(list.begin(), list.end(), value.begin());
  return true;
}

/// The same values as YAML, on one line. Numbers have the digits that give back the same number.
std::string write_value(int value);
std::string write_value(std::uint64_t value);
std::string write_value(float value);
std::string write_value(double value);
std::string write_value(bool value);
std::string write_value(const std::string & value);
std::string write_value(const std::map<std::string, std::string> & value);

template <typename Numbers>
std::string write_value(const Numbers & list)
{
  std::string text;
  for (const auto number : list) {
    text += (text.empty() ? "" : ", ") + write_value(number);
  }
  return "[" + text + "]";
}

/// What a text or a node says, for an error: on one line, and not too long.
std::string one_line(std::string_view text);
/// The same in quotes.
std::string shown(std::string_view text);
std::string shown(const YAML::Node & node);

}  // namespace mgproto

#endif  // TRAINING__CONFIG_VALUES_HPP_
