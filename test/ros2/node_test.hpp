// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ROS2__NODE_TEST_HPP_
#define ROS2__NODE_TEST_HPP_

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <memory>
#include <mgproto_ros/msg/ood_flag.hpp>
#include <mgproto_ros/msg/prediction.hpp>
#include <opencv2/core.hpp>
#include <rclcpp/rclcpp.hpp>
#include <sensor_msgs/msg/image.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "birds/picture.hpp"
#include "demo_model.hpp"
#include "ros2/inbox.hpp"
#include "ros2/perception_node.hpp"

namespace mgproto_ros::test
{

using namespace std::chrono_literals;
using mgproto::birds::SceneKind;
using mgproto_ros::msg::OodFlag;
using mgproto_ros::msg::Prediction;
using sensor_msgs::msg::Image;

using mgproto::test::kDemoHash;
using mgproto::test::kDemoModel;
using mgproto::test::kDemoModelId;

inline cv::Mat scene(SceneKind kind, int index, int width = 96, int height = 96)
{
  mgproto::Random random{77, static_cast<std::uint64_t>(kind), static_cast<std::uint64_t>(index)};
  return mgproto::birds::draw_scene(kind, index, width, height, random);
}

inline Image image_of(const cv::Mat & picture, int sec)
{
  const cv::Mat rows = picture.isContinuous() ? picture : picture.clone();
  Image image;
  image.header.stamp.sec = sec;
  image.header.stamp.nanosec = 7;
  image.header.frame_id = "camera_optical";
  image.width = rows.cols;
  image.height = rows.rows;
  image.encoding = "bgr8";
  image.step = static_cast<std::uint32_t>(rows.step[0]);
  image.data.assign(rows.datastart, rows.dataend);
  return image;
}

inline bool wait_until(const std::function<bool()> & condition, std::chrono::seconds time = 20s)
{
  const auto end = std::chrono::steady_clock::now() + time;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) {
      return false;
    }
    std::this_thread::sleep_for(5ms);
  }
  return true;
}

/// A perception node with the model that comes with the package, and beside it, with an executor of
/// its own, a node `robot` that is its camera and its listener.
class NodeTest : public ::testing::Test
{
protected:
  static void SetUpTestSuite() { rclcpp::init(0, nullptr); }
  static void TearDownTestSuite() { rclcpp::shutdown(); }

  NodeTest()
  {
    robot = std::make_shared<rclcpp::Node>("robot");
    robot_executor.add_node(robot);
    robot_thread = std::thread([this] { robot_executor.spin(); });
    while (!robot_executor.is_spinning()) {
      std::this_thread::sleep_for(1ms);
    }
  }
  ~NodeTest() override
  {
    stop();
    robot_executor.cancel();
    robot_thread.join();
  }

  rclcpp::NodeOptions options()
  {
    rclcpp::NodeOptions result;
    for (const auto & [name, value] : parameters) {
      result.append_parameter_override(name, value);
    }
    result.arguments(arguments);
    result.use_intra_process_comms(intra_process);
    return result;
  }
  void start()
  {
    node = std::make_shared<PerceptionNode>(options());
    spin(node->get_node_base_interface());
  }
  /// By an executor with two threads, until stop().
  void spin(const rclcpp::node_interfaces::NodeBaseInterface::SharedPtr & of_node)
  {
    executor =
      std::make_unique<rclcpp::executors::MultiThreadedExecutor>(rclcpp::ExecutorOptions(), 2);
    executor->add_node(of_node);
    executor_thread = std::thread([this] { executor->spin(); });
    while (!executor->is_spinning()) {
      std::this_thread::sleep_for(1ms);
    }
  }
  void stop()
  {
    if (executor) {
      executor->cancel();
      executor_thread.join();
      executor.reset();
    }
    node.reset();
  }

  /// A listener that is connected.
  template <class Message>
  std::shared_ptr<Inbox<Message>> listen(
    const std::string & topic, const rclcpp::QoS & qos = rclcpp::QoS(100))
  {
    auto inbox = std::make_shared<Inbox<Message>>();
    auto subscription = robot->create_subscription<Message>(
      topic, qos,
      [inbox](const typename Message::ConstSharedPtr & message) { inbox->add(*message); });
    EXPECT_TRUE(wait_until([&] { return subscription->get_publisher_count() > 0; })) << topic;
    if (node) {
      EXPECT_TRUE(wait_until([&] { return node->count_subscribers(topic) > 0; })) << topic;
    }
    entities.push_back(subscription);
    return inbox;
  }
  template <class Message>
  typename rclcpp::Publisher<Message>::SharedPtr advertise(const std::string & topic)
  {
    auto publisher = robot->create_publisher<Message>(topic, rclcpp::QoS(10));
    EXPECT_TRUE(wait_until([&] { return publisher->get_subscription_count() > 0; })) << topic;
    return publisher;
  }
  /// By one client for all calls of a service, as robots do: a server may not know of a new one yet
  /// when it answers.
  template <class Service>
  typename Service::Response call(
    const std::string & name, const typename Service::Request & request)
  {
    auto & known = clients[name];
    if (!known) {
      known = robot->create_client<Service>(name);
    }
    const auto client = std::static_pointer_cast<rclcpp::Client<Service>>(known);
    EXPECT_TRUE(client->wait_for_service(20s));
    auto future = client->async_send_request(std::make_shared<typename Service::Request>(request));
    if (future.wait_for(60s) != std::future_status::ready) {
      ADD_FAILURE() << name << " did not answer";
      return typename Service::Response();
    }
    return *future.get();
  }

  std::map<std::string, rclcpp::ParameterValue> parameters{
    {"model", rclcpp::ParameterValue(kDemoModel)},
    {"device", rclcpp::ParameterValue("cpu")},
    {"num_threads", rclcpp::ParameterValue(1)}};
  std::vector<std::string> arguments;
  bool intra_process = false;

  std::shared_ptr<rclcpp::Node> robot;
  rclcpp::executors::SingleThreadedExecutor robot_executor;
  std::thread robot_thread;
  std::vector<std::shared_ptr<void>> entities;
  std::map<std::string, rclcpp::ClientBase::SharedPtr> clients;

  std::shared_ptr<PerceptionNode> node;
  std::unique_ptr<rclcpp::Executor> executor;
  std::thread executor_thread;
};

}  // namespace mgproto_ros::test

#endif  // ROS2__NODE_TEST_HPP_
