// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ROS2__CALLBACKS_HPP_
#define ROS2__CALLBACKS_HPP_

#include <chrono>
#include <rclcpp/rclcpp.hpp>
#include <thread>

#include "ros2/node_handle.hpp"

namespace mgproto_ros
{

/// For a node's destructor: waits until no callback of its default group runs, and lets none begin.
/// A container with several threads may unload a node while one of them is in its callback, or has
/// taken one that it is about to call; image_transport's plugins do not survive that.
inline void end_callbacks(const NodeHandle & node)
{
  using std::chrono::steady_clock;
  // Executors that are cancelled may leave their mark on the group without being in a callback; no
  // callback takes nearly as long.
  const auto end = steady_clock::now() + std::chrono::seconds(1);
  // The mark of an executor that is busy with the group.
  const auto base = node.get_node_base_interface();
  auto & free = base->get_default_callback_group()->can_be_taken_from();
  while (!free.exchange(false) && steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace mgproto_ros

#endif  // ROS2__CALLBACKS_HPP_
