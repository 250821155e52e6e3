// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DDS__REMAPPING_HPP_
#define DDS__REMAPPING_HPP_

#include <string>
#include <vector>

#include "dds/topic_names.hpp"

namespace mgproto::dds
{

/// One rule of ROS 2's `-r [node:]from:=to`.
struct Remapping
{
  enum class What
  {
    topic,
    node_name,   // __node:=new_name
    name_space,  // __ns:=/new/namespace
  };

  What what = What::topic;
  std::string node;  // the only node it is meant for; empty for all
  std::string from;  // of a topic, as a person writes it
  std::string to;
};

/// Throws ConfigError if the text is not a rule.
Remapping parse_remapping(const std::string & text);

/// The node's name after the first rule for its name and the first one for its namespace.
NodeName remap_node(const NodeName & node, const std::vector<Remapping> & rules);

/// The absolute topic name after the first rule that matches. Both sides of a rule are expanded as
/// the node's own names are, so `image:=/camera/image` and `~/input:=/camera/image` both work.
std::string resolve_topic_name(
  const std::string & name, const NodeName & node, const std::vector<Remapping> & rules);

}  // namespace mgproto::dds

#endif  // DDS__REMAPPING_HPP_
