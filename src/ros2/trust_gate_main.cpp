// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// The trust gate in a process of its own.

#include <cstdlib>
#include <exception>
#include <memory>
#include <rclcpp/rclcpp.hpp>

#include "ros2/trust_gate_node.hpp"

int main(int argc, char ** argv)
{
  rclcpp::init(argc, argv);
  int code = EXIT_SUCCESS;
  try {
    rclcpp::spin(std::make_shared<mgproto_ros::TrustGate>(rclcpp::NodeOptions()));
  } catch (const std::exception & error) {
    RCLCPP_FATAL(rclcpp::get_logger("trust_gate"), "%s", error.what());
    code = EXIT_FAILURE;
  }
  rclcpp::shutdown();
  return code;
}
