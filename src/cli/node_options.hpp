// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef CLI__NODE_OPTIONS_HPP_
#define CLI__NODE_OPTIONS_HPP_

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "dds/node.hpp"

namespace mgproto::cli
{

/// What every verb that joins a ROS 2 domain can be told, in ROS 2's way.
struct NodeCommandOptions
{
  std::vector<std::string> remappings;

  void add_to(CLI::App & verb)
  {
    verb
      .add_option(
        "-r,--remap", remappings, "another name for a topic or the node (__node, __ns), often")
      ->type_name("FROM:=TO")
      ->allow_extra_args(false);
  }

  /// Joins the domain of ROS_DOMAIN_ID.
  dds::Node join(const std::string & name) const
  {
    dds::NodeOptions options;
    options.name = name;
    for (const std::string & text : remappings) {
      options.remappings.push_back(dds::parse_remapping(text));
    }
    return dds::Node(options);
  }
};

}  // namespace mgproto::cli

#endif  // CLI__NODE_OPTIONS_HPP_
