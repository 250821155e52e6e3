// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/config_values.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "datasets/text_file.hpp"

namespace mgproto
{
namespace
{

constexpr std::size_t kShownLength = 60;   // of a value in an error
constexpr std::size_t kLongestName = 200;  // of a map's entry; yaml-cpp's limit for a key is 1024

/// An unquoted scalar; in quotes it is a text, whatever it looks like.
bool is_plain(const YAML::Node & node) { return node.IsScalar() && node.Tag() != "!"; }

template <typename Number>
bool read_number(const YAML::Node & node, Number & value)
{
  if (!is_plain(node)) {
    return false;
  }
  std::string_view text = node.Scalar();
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') {
    text.remove_prefix(1);
  }
  return parse_number(text, value);
}

template <typename Number>
std::string shortest(Number number)
{
  char buffer[64];
  const auto end =
    std::to_chars(buffer, buffer + sizeof buffer, number, std::chars_format::general).ptr;
  std::string text(buffer, end);
  // YAML 1.1, which Python's parser speaks, takes 1e-05 for a text.
  const auto exponent = text.find('e');
  if (exponent != std::string::npos && text.find('.') == std::string::npos) {
    text.insert(exponent, ".0");
  }
  return text;
}

}  // namespace

bool read_value(const YAML::Node & node, int & value) { return read_number(node, value); }
bool read_value(const YAML::Node & node, std::uint64_t & value) { return read_number(node, value); }

bool read_value(const YAML::Node & node, float & value)
{
  return read_number(node, value) && std::isfinite(value);
}

bool read_value(const YAML::Node & node, double & value)
{
  return read_number(node, value) && std::isfinite(value);
}

bool read_value(const YAML::Node & node, bool & value)
{
  const std::string text = is_plain(node) ? node.Scalar() : "";
  value = text == "true" || text == "True" || text == "TRUE";
  return value || text == "false" || text == "False" || text == "FALSE";
}

bool read_value(const YAML::Node & node, std::string & value)
{
  value = node.IsScalar() ? node.Scalar() : "";
  return node.IsScalar() || node.IsNull();
}

bool read_value(const YAML::Node & node, std::map<std::string, std::string> & value)
{
  value.clear();
  if (!node.IsMap()) {
    return node.IsNull();
  }
  for (const auto & entry : node) {
    std::string name;
    std::string text;
    if (!read_value(entry.first, name) || !read_value(entry.second, text) || text.empty()) {
      return false;
    }
    if (name.empty() || name.size() > kLongestName || !value.emplace(name, text).second) {
      return false;
    }
  }
  return true;
}

std::string write_value(int value) { return std::to_string(value); }
std::string write_value(std::uint64_t value) { return std::to_string(value); }
std::string write_value(float value) { return shortest(value); }
std::string write_value(double value) { return shortest(value); }
std::string write_value(bool value) { return value ? "true" : "false"; }

std::string write_value(const std::string & value)
{
  YAML::Emitter emitter;
  emitter << YAML::DoubleQuoted << value;
  return emitter.c_str();
}

std::string write_value(const std::map<std::string, std::string> & value)
{
  std::string text;
  for (const auto & [name, item] : value) {
    text += (text.empty() ? "" : ", ") + write_value(name) + ": " + write_value(item);
  }
  return "{" + text + "}";
}

std::string one_line(std::string_view text)
{
  std::size_t length = std::min(text.size(), kShownLength);
  while (length < text.size() && length > 0 && (text[length] & 0xC0) == 0x80) {
    --length;  // not in the middle of a character
  }
  std::string result(text.substr(0, length));
  const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7F; };
  std::replace_if(result.begin(), result.end(), is_control, '?');
  return result + (length < text.size() ? "..." : "");
}

std::string shown(std::string_view text) { return "'" + one_line(text) + "'"; }

std::string shown(const YAML::Node & node)
{
  if (node.IsScalar()) {
    return shown(node.Scalar());
  }
  if (!node.IsSequence()) {
    return node.IsMap() ? "a map" : "an empty value";
  }
  std::string text;
  for (const YAML::Node & item : node) {
    text += (text.empty() ? "" : ", ") + (item.IsScalar() ? item.Scalar() : "...");
    if (text.size() > kShownLength) {
      break;
    }
  }
  return "the list " + shown("[" + text + "]");
}

}  // namespace mgproto
