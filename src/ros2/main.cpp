// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// The perception node in a process of its own.

#include <cstdlib>
#include <exception>
#include <memory>
#include <rclcpp/rclcpp.hpp>

#include "ros2/perception_node.hpp"
#include "ros2/signals_elsewhere.hpp"

int main(int argc, char ** argv)
{
  rclcpp::init(argc, argv);
  const mgproto_ros::SignalsElsewhere signals;
  int code = EXIT_SUCCESS;
  try {
    rclcpp::spin(std::make_shared<mgproto_ros::PerceptionNode>(rclcpp::NodeOptions()));
  } catch (const std::exception & error) {
    // Interrupted while it was made, the node could not be finished, which is no failure.
    if (rclcpp::ok()) {
      RCLCPP_FATAL(rclcpp::get_logger("mgproto"), "%s", error.what());
      code = EXIT_FAILURE;
    }
  }
  rclcpp::shutdown();
  return code;
}
