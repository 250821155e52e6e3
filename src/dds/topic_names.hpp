// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DDS__TOPIC_NAMES_HPP_
#define DDS__TOPIC_NAMES_HPP_

#include <optional>
#include <string>

namespace mgproto::dds
{

/// What a node is called: `name` is one word, `name_space` begins with a slash.
struct NodeName
{
  std::string name;
  std::string name_space = "/";

  /// `/namespace/name`
  std::string full() const;
};

/// The node name with a namespace that has its leading slash and no trailing one, as ROS 2 also
/// accepts `robot` and an empty namespace. Throws ConfigError if either breaks ROS 2's rules.
NodeName validated(NodeName node);

/// Throws ConfigError unless this is a topic name that a person may give: absolute (`/camera/image`),
/// relative to the namespace (`image`) or to the node (`~/image`).
void validate_topic_name(const std::string & name);

/// The absolute name: `~/x` of node /ns/n is /ns/n/x, and `x` is /ns/x. Throws ConfigError.
std::string expand_topic_name(const std::string & name, const NodeName & node);

/// The DDS topic of a ROS topic: /a/b is rt/a/b.
std::string dds_topic_name(const std::string & absolute_name);

/// The way back; nothing if it is not a ROS topic (a service, or a topic of another DDS program).
std::optional<std::string> ros_topic_name(const std::string & dds_name);

/// The ROS type of a DDS type: pkg::msg::dds_::Name_ is pkg/msg/Name; nothing if it is not one.
std::optional<std::string> ros_type_name(const std::string & dds_name);

}  // namespace mgproto::dds

#endif  // DDS__TOPIC_NAMES_HPP_
