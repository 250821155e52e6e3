// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ROS2__DISTRIBUTION_HPP_
#define ROS2__DISTRIBUTION_HPP_

#include <functional>
#include <image_transport/image_transport.hpp>
#include <memory>
#include <rclcpp/rclcpp.hpp>
#include <string>
#include <utility>
#include <vector>
#if __has_include(<cv_bridge/cv_bridge.hpp>)
#include <cv_bridge/cv_bridge.hpp>
#else
#include <cv_bridge/cv_bridge.h>  // Humble
#endif

#include "ros2/node_handle.hpp"
#if __has_include(<image_transport/node_interfaces.hpp>)
#define MGPROTO_IMAGE_TRANSPORT_TAKES_REFERENCES  // after Jazzy
#endif

/// All that differs between the distributions of ROS 2 from Humble to Rolling.
namespace mgproto_ros::distribution
{

inline image_transport::Subscriber subscribe_to_images(
  rclcpp::Node & node, const std::string & topic,
  const image_transport::Subscriber::Callback & callback, const std::string & transport,
  const rclcpp::QoS & qos, const rclcpp::SubscriptionOptions & options)
{
#ifdef MGPROTO_IMAGE_TRANSPORT_TAKES_REFERENCES
  return image_transport::create_subscription(node, topic, callback, transport, qos, options);
#else
  return image_transport::create_subscription(
    &node, topic, callback, transport, qos.get_rmw_qos_profile(), options);
#endif
}

template <class Service, class Callback>
typename rclcpp::Service<Service>::SharedPtr create_service(
  const NodeHandle & node, const std::string & name, Callback && callback)
{
#if __has_include(<cv_bridge/cv_bridge.hpp>)
  const rclcpp::ServicesQoS qos;
#else
  const rmw_qos_profile_t qos = rmw_qos_profile_services_default;
#endif
  return rclcpp::create_service<Service>(
    node.get_node_base_interface(), node.get_node_services_interface(), name,
    std::forward<Callback>(callback), qos, nullptr);
}

/// Calls `apply` with values that everybody has accepted. Ends with what is returned.
inline std::shared_ptr<void> after_setting_parameters(
  const NodeHandle & node,
  const std::function<void(const std::vector<rclcpp::Parameter> &)> & apply)
{
  const auto parameters_of_node = node.get_node_parameters_interface();
#if __has_include(<cv_bridge/cv_bridge.hpp>)
  return parameters_of_node->add_post_set_parameters_callback(apply);
#else
  // In Humble, the last of those who accept, if it is the first to be added: they are called in
  // reverse order.
  return parameters_of_node->add_on_set_parameters_callback(
    [apply](const std::vector<rclcpp::Parameter> & parameters) {
      apply(parameters);
      rcl_interfaces::msg::SetParametersResult accepted;
      accepted.successful = true;
      return accepted;
    });
#endif
}

}  // namespace mgproto_ros::distribution

#endif  // ROS2__DISTRIBUTION_HPP_
