// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ROS2__IMAGE_TOPIC_HPP_
#define ROS2__IMAGE_TOPIC_HPP_

#include <rclcpp/rclcpp.hpp>
#include <string>

#include "mgproto_ros/error.hpp"

namespace mgproto_ros
{

/// The base topic for image_transport, already remapped: it would remap the raw topic only, not
/// those of its plugins. Throws ConfigError for a name whose length they cannot handle.
inline std::string image_topic(rclcpp::Node & node, const std::string & name)
{
  const std::string topic = node.get_node_topics_interface()->resolve_topic_name(name);
  const std::string node_namespace = node.get_effective_namespace();
  // The plugins call their parameters topic.substr(length of the namespace), wherever the topic is.
  if (topic.size() <= node_namespace.size()) {
    throw mgproto::ConfigError(
      topic, "image_transport needs a topic whose name is longer than the node's namespace " +
               node_namespace);
  }
  return topic;
}

}  // namespace mgproto_ros

#endif  // ROS2__IMAGE_TOPIC_HPP_
