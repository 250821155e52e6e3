// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ROS2__LIFECYCLE_PERCEPTION_NODE_HPP_
#define ROS2__LIFECYCLE_PERCEPTION_NODE_HPP_

#include <memory>
#include <optional>
#include <rclcpp_lifecycle/lifecycle_node.hpp>

#include "ros2/manager_bond.hpp"
#include "ros2/perception_server.hpp"

namespace mgproto_ros
{

/// Perception as a managed node. Configuring loads the model, activating lets it answer; inactive it
/// keeps the model and answers nothing, unconfigured it has none. With the parameter `autostart` it
/// takes these two steps by itself.
class LifecyclePerceptionNode : public rclcpp_lifecycle::LifecycleNode
{
public:
  /// Throws ConfigError for a parameter that is not allowed. A model that cannot be loaded leaves it
  /// unconfigured, with the cause in the log: a parameter can be set, and the step tried again.
  explicit LifecyclePerceptionNode(const rclcpp::NodeOptions & options);
  /// Finishes the image and the service call in work; waits for callbacks that run.
  ~LifecyclePerceptionNode() override;

private:
  using State = rclcpp_lifecycle::State;

  CallbackReturn on_configure(const State & state) override;
  CallbackReturn on_activate(const State & state) override;
  CallbackReturn on_deactivate(const State & state) override;
  CallbackReturn on_cleanup(const State & state) override;
  CallbackReturn on_shutdown(const State & state) override;
  CallbackReturn on_error(const State & state) override;

  void start();
  void release();
  void check(const std::vector<rclcpp::Parameter> & parameters) const;

  std::optional<PerceptionServer> server_;  // unless unconfigured
  ManagerBond bond_;                        // while active
  // End before the server.
  std::shared_ptr<void> applying_parameters_;
  OnSetParametersCallbackHandle::SharedPtr checking_parameters_;
};

}  // namespace mgproto_ros

#endif  // ROS2__LIFECYCLE_PERCEPTION_NODE_HPP_
