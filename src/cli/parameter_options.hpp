// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef CLI__PARAMETER_OPTIONS_HPP_
#define CLI__PARAMETER_OPTIONS_HPP_

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "perception/parameter_file.hpp"
#include "perception/parameters.hpp"
#include "perception/perception.hpp"
#include "perception/ros_arguments.hpp"

namespace mgproto::cli
{

/// What a verb that is a node can be set, in ROS 2's way: by files, then by single values.
struct ParameterOptions
{
  std::vector<std::string> files;
  std::vector<std::string> values;
  bool print = false;  ///< the table of all parameters, and nothing else

  void add_to(CLI::App & verb)
  {
    verb.add_option("--params,--params-file", files, "ROS 2 parameter file, often")
      ->type_name("FILE")
      ->allow_extra_args(false);
    verb.add_option("-p,--param", values, "one parameter, before any file; often")
      ->type_name("NAME:=VALUE")
      ->allow_extra_args(false);
    verb.add_flag("--parameters", print, "print all parameters as a table, and end");
  }

  /// For the node of this full name. Throws unless it can start with them.
  template <class S>
  S settings(const std::string & node) const
  {
    S settings;
    for (const std::string & file : files) {
      settings =
        perception::with_values(settings, perception::read_parameter_file<S>(file, node), false);
    }
    std::vector<perception::Assignment> assignments;
    for (const std::string & text : values) {
      assignments.push_back(perception::parse_assignment(text));
    }
    settings = perception::with_values(settings, assignments, false);
    perception::check_settings(settings);
    return settings;
  }
};

/// As ROS 2 nodes write their lines.
inline void write_log(
  const std::string & node, perception::LogLevel level, const std::string & text)
{
  static constexpr const char * kNames[] = {"INFO", "WARN", "ERROR"};
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  std::fprintf(
    stderr, "[%s] [%.3f] [%s]: %s\n", kNames[static_cast<int>(level)],
    std::chrono::duration<double>(now).count(), node.c_str(), text.c_str());
}

}  // namespace mgproto::cli

#endif  // CLI__PARAMETER_OPTIONS_HPP_
