// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ROS2__MANAGER_BOND_HPP_
#define ROS2__MANAGER_BOND_HPP_

#include <rclcpp/rclcpp.hpp>
#ifdef MGPROTO_BOND
#include <bond/msg/status.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#endif

#include "ros2/node_handle.hpp"

namespace mgproto_ros
{

/// The heartbeat by which nav2's lifecycle manager sees that an active node is alive: this side of a
/// bond. (bondcpp's own cannot end in a callback while an executor has several threads: it calls what
/// is gone.) Nothing where the package has been built without bond's messages.
class ManagerBond
{
public:
#ifdef MGPROTO_BOND
  void form(NodeHandle node)
  {
    using namespace std::chrono_literals;
    heart_ = std::make_shared<Heart>();
    heart_->status.id = node.get_node_base_interface()->get_name();
    heart_->status.instance_id = new_instance();
    heart_->status.active = true;
    heart_->status.heartbeat_timeout = 4;  // as nav2 has them
    heart_->status.heartbeat_period = 0.1f;
    heart_->statuses = rclcpp::create_publisher<bond::msg::Status>(node, "bond", rclcpp::QoS(5));
    timer_ = rclcpp::create_wall_timer(
      100ms, [heart = heart_] { heart->beat(); }, nullptr, node.get_node_base_interface().get(),
      node.get_node_timers_interface().get());
    heart_->beat();
  }

  void end()
  {
    if (heart_) {
      timer_.reset();
      heart_->status.active = false;
      heart_->beat();
      heart_.reset();
    }
  }

private:
  struct Heart
  {
    bond::msg::Status status;
    rclcpp::Publisher<bond::msg::Status>::SharedPtr statuses;

    void beat()
    {
      status.header.stamp = rclcpp::Clock(RCL_STEADY_TIME).now();
      statuses->publish(status);
    }
  };

  /// No two sides of a bond are called the same.
  static std::string new_instance()
  {
    std::random_device random;
    std::string text;
    for (int i = 0; i < 4; ++i) {
      text += std::to_string(static_cast<std::uint32_t>(random())) + (i < 3 ? "-" : "");
    }
    return text;
  }

  std::shared_ptr<Heart> heart_;
  rclcpp::TimerBase::SharedPtr timer_;
#else
  void form(const NodeHandle &) {}
  void end() {}
#endif
};

}  // namespace mgproto_ros

#endif  // ROS2__MANAGER_BOND_HPP_
