// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ROS2__TRUST_GATE_NODE_HPP_
#define ROS2__TRUST_GATE_NODE_HPP_

#include <diagnostic_msgs/msg/diagnostic_array.hpp>
#include <memory>
#include <mgproto_ros/msg/ood_flag.hpp>
#include <mutex>
#include <rclcpp/rclcpp.hpp>
#include <std_msgs/msg/bool.hpp>
#include <vector>
#ifdef MGPROTO_NAV2_MSGS
#include <nav2_msgs/msg/speed_limit.hpp>
#endif

#include "perception/trust_gate.hpp"
#include "perception/trust_log.hpp"
#include "ros2/node_handle.hpp"

namespace mgproto_ros
{

/// The trust gate as a component of ROS 2: tells an autonomy stack whether to trust what perception
/// nodes see, and how fast to drive. Owns the topics and parameters; what they mean is decided in
/// perception::TrustGate. Ages of stamps are by the node's clock, silence by one that nobody sets.
class TrustGate : public rclcpp::Node
{
public:
  /// Throws, with the parameter or topic and the cause, if it cannot start.
  explicit TrustGate(const rclcpp::NodeOptions & options);
  /// Waits for callbacks that run.
  ~TrustGate() override;

private:
  using OodFlag = mgproto_ros::msg::OodFlag;

  struct Publishers
  {
    explicit Publishers(NodeHandle node);

    rclcpp::Publisher<std_msgs::msg::Bool>::SharedPtr trusted;
#ifdef MGPROTO_NAV2_MSGS
    rclcpp::Publisher<nav2_msgs::msg::SpeedLimit>::SharedPtr speed_limit;
#endif
    rclcpp::Publisher<diagnostic_msgs::msg::DiagnosticArray>::SharedPtr diagnostics;
  };

  void listen(std::size_t source, const std::string & topic);
  /// With the mutex: a clock that is read before others wait for it would seem to go back.
  mgproto::perception::Moment moment() const;
  void tell();
  void check(const std::vector<rclcpp::Parameter> & parameters);
  void apply(const std::vector<rclcpp::Parameter> & parameters);

  // In the order of construction: what comes later uses what comes earlier, and ends before it.
  std::mutex mutex_;
  mgproto::perception::TrustGate gate_;
  mgproto::perception::TrustLog trust_log_;
  const Publishers publishers_;
  std::vector<rclcpp::Subscription<OodFlag>::SharedPtr> flags_;
  rclcpp::TimerBase::SharedPtr asking_;
  std::shared_ptr<void> applying_parameters_;
  OnSetParametersCallbackHandle::SharedPtr checking_parameters_;
};

}  // namespace mgproto_ros

#endif  // ROS2__TRUST_GATE_NODE_HPP_
