// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__YAML_DOCUMENT_HPP_
#define MODEL__YAML_DOCUMENT_HPP_

#include <yaml-cpp/yaml.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "mgproto_ros/error.hpp"

namespace mgproto
{

/// A text that is not one YAML document, or says what it should not.
class YamlError : public Error
{
public:
  YamlError(int line, const std::string & problem) : Error(problem), line_(line) {}
  int line() const { return line_; }  ///< from 1

private:
  int line_;
};

/// The one document of a text; null for an empty text. Throws YamlError. Takes less than yaml-cpp
/// does: no broken UTF-8, no aliases (a few lines of them can stand for gigabytes), and nothing
/// behind the document.
YAML::Node parse_yaml(const std::string & text);

/// The first byte that cannot be in YAML, or npos: broken UTF-8 and control characters.
std::size_t find_non_text(std::string_view text);

}  // namespace mgproto

#endif  // MODEL__YAML_DOCUMENT_HPP_
