// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdio>
#include <memory>
#include <mgproto_ros/msg/ood_flag.hpp>
#include <mgproto_ros/msg/prediction.hpp>
#include <rclcpp/rclcpp.hpp>

/// Prints what a perception node says, and ends when it has seen a prediction and a flag.
class Listener : public rclcpp::Node
{
public:
  Listener() : Node("listener_cpp")
  {
    predictions_ = create_subscription<mgproto_ros::msg::Prediction>(
      "/mgproto/output/prediction", 10,
      [this](const mgproto_ros::msg::Prediction::ConstSharedPtr & prediction) {
        if (!named_) {
          std::printf("class %s\n", prediction->class_name.c_str());
          named_ = true;
        }
        end_if_both();
      });
    flags_ = create_subscription<mgproto_ros::msg::OodFlag>(
      "/mgproto/output/ood", 10, [this](const mgproto_ros::msg::OodFlag::ConstSharedPtr & flag) {
        if (!flagged_) {
          std::printf("unknown %d: %s\n", flag->unknown, flag->reason.c_str());
          flagged_ = true;
        }
        end_if_both();
      });
  }

private:
  void end_if_both()
  {
    if (named_ && flagged_) {
      rclcpp::shutdown();
    }
  }

  rclcpp::Subscription<mgproto_ros::msg::Prediction>::SharedPtr predictions_;
  rclcpp::Subscription<mgproto_ros::msg::OodFlag>::SharedPtr flags_;
  bool named_ = false;
  bool flagged_ = false;
};

int main(int argc, char ** argv)
{
  rclcpp::init(argc, argv);
  rclcpp::spin(std::make_shared<Listener>());
}
