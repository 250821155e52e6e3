// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "dds/topic_names.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "mgproto_ros/error.hpp"

namespace mgproto::dds
{
namespace
{

// DDS allows 255 characters, of which ROS 2 keeps 8 for prefixes.
constexpr size_t longest_topic_name = 247;
constexpr size_t longest_namespace = longest_topic_name - 2;
constexpr size_t longest_node_name = 255;

constexpr std::string_view topic_prefix = "rt";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_word_character(char c)
{
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// Empty if the words between the slashes are fine, otherwise what is wrong with them.
std::string problem_with_words(std::string_view name)
{
  char previous = '/';
  for (const char c : name) {
    if (c != '/' && !is_word_character(c)) {
      return "only letters, digits, '_' and '/' are allowed";
    }
    if (previous == '/' && is_digit(c)) {
      return "no part may begin with a digit";
    }
    previous = c;
  }
  if (name.find("//") != name.npos) {
    return "'/' may not be repeated";
  }
  if (previous == '/') {
    return "it may not end with '/'";
  }
  return {};
}

[[noreturn]] void refuse(const char * what, const std::string & name, const std::string & problem)
{
  throw ConfigError(std::string(what) + " '" + name + "'", problem);
}

void check_words(const char * what, const std::string & name, std::string_view words)
{
  const std::string problem = problem_with_words(words);
  if (!problem.empty()) {
    refuse(what, name, problem);
  }
}

}  // namespace

std::string NodeName::full() const
{
  return name_space == "/" ? "/" + name : name_space + "/" + name;
}

NodeName validated(NodeName node)
{
  if (
    node.name.empty() || node.name.size() > longest_node_name || is_digit(node.name.front()) ||
    !std::all_of(node.name.begin(), node.name.end(), is_word_character)) {
    refuse(
      "node name", node.name,
      "1 to 255 letters, digits and '_' are allowed, the first of them not a digit");
  }
  if (node.name_space.empty() || node.name_space.front() != '/') {
    node.name_space.insert(0, "/");
  }
  if (node.name_space != "/") {
    check_words("namespace", node.name_space, node.name_space);
  }
  if (node.name_space.size() > longest_namespace) {
    refuse("namespace", node.name_space, "at most 245 characters are allowed");
  }
  return node;
}

void validate_topic_name(const std::string & name)
{
  if (name.empty()) {
    refuse("topic name", name, "it is empty; expected something like /camera/image or ~/image");
  }
  std::string_view words = name;
  if (words.front() == '~') {
    words.remove_prefix(1);
    if (words.empty()) {
      return;  // the node's own name
    }
    if (words.front() != '/') {
      refuse("topic name", name, "'~' must be followed by '/'");
    }
  }
  if (words.find('~') != words.npos) {
    refuse("topic name", name, "'~' is allowed at the beginning only");
  }
  check_words("topic name", name, words);
}

std::string expand_topic_name(const std::string & name, const NodeName & node)
{
  validate_topic_name(name);
  std::string absolute = name;
  if (name.front() == '~') {
    absolute = node.full() + name.substr(1);
  } else if (name.front() != '/') {
    absolute = NodeName{name, node.name_space}.full();
  }
  if (absolute.size() > longest_topic_name) {
    refuse("topic name", absolute, "at most 247 characters are allowed");
  }
  return absolute;
}

std::string dds_topic_name(const std::string & absolute_name)
{
  return std::string(topic_prefix) + absolute_name;
}

std::optional<std::string> ros_topic_name(const std::string & dds_name)
{
  if (dds_name.size() < 4 || dds_name.compare(0, 3, "rt/") != 0) {
    return std::nullopt;
  }
  return dds_name.substr(topic_prefix.size());
}

std::optional<std::string> ros_type_name(const std::string & dds_name)
{
  constexpr std::string_view separator = "::";
  constexpr std::string_view dds_part = "::dds_::";
  const size_t package_end = dds_name.find(separator);
  const size_t kind_end = dds_name.find(dds_part);
  if (
    package_end == dds_name.npos || kind_end == dds_name.npos || package_end >= kind_end ||
    dds_name.back() != '_') {
    return std::nullopt;
  }
  const std::string package = dds_name.substr(0, package_end);
  const size_t kind_begin = package_end + separator.size();
  const std::string kind = dds_name.substr(kind_begin, kind_end - kind_begin);
  const size_t name_begin = kind_end + dds_part.size();
  const std::string name = dds_name.substr(name_begin, dds_name.size() - name_begin - 1);
  if (package.empty() || kind.empty() || name.empty()) {
    return std::nullopt;
  }
  return package + "/" + kind + "/" + name;
}

}  // namespace mgproto::dds
