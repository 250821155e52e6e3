// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// The managed node, by the services that a lifecycle manager calls.

#include <gtest/gtest.h>

#include <atomic>
#ifdef MGPROTO_BONDCPP
#include <bondcpp/bond.hpp>
#endif
#include <lifecycle_msgs/msg/state.hpp>
#include <lifecycle_msgs/msg/transition.hpp>
#include <lifecycle_msgs/srv/change_state.hpp>

#include "ros2/lifecycle_perception_node.hpp"
#include "ros2/node_test.hpp"

namespace mgproto_ros::test
{
namespace
{

using lifecycle_msgs::msg::State;
using lifecycle_msgs::msg::Transition;
using lifecycle_msgs::srv::ChangeState;

class ManagedNodeTest : public NodeTest
{
protected:
  ManagedNodeTest() { parameters["autostart"] = rclcpp::ParameterValue(false); }
  ~ManagedNodeTest() override
  {
    end_ = true;
    if (shooting_.joinable()) {
      shooting_.join();
    }
    stop();
    managed.reset();
  }

  void start_managed()
  {
    managed = std::make_shared<LifecyclePerceptionNode>(options());
    spin(managed->get_node_base_interface());
  }
  bool change(std::uint8_t transition)
  {
    ChangeState::Request request;
    request.transition.id = transition;
    return call<ChangeState>("/mgproto/change_state", request).success;
  }
  /// One image; whether it is answered.
  bool answers(int sec, std::chrono::milliseconds within = 3000ms)
  {
    if (!predictions) {
      predictions = listen<Prediction>("/mgproto/output/prediction");
      camera = advertise<Image>("/mgproto/input/image");
    }
    camera->publish(image_of(scene(SceneKind::SeenBird, 1), sec));
    const auto end = std::chrono::steady_clock::now() + within;
    while (std::chrono::steady_clock::now() < end) {
      for (const Prediction & prediction : predictions->all()) {
        if (prediction.header.stamp.sec == sec) {
          return true;
        }
      }
      std::this_thread::sleep_for(5ms);
    }
    return false;
  }
  /// Publishes until the end of the test.
  void shoot()
  {
    shooting_ = std::thread([this] {
      const auto images = robot->create_publisher<Image>("/mgproto/input/image", rclcpp::QoS(1));
      const Image image = image_of(scene(SceneKind::SeenBird, 1), 5);
      while (!end_) {
        images->publish(image);
        std::this_thread::sleep_for(2ms);
      }
    });
  }

  std::shared_ptr<LifecyclePerceptionNode> managed;
  std::shared_ptr<Inbox<Prediction>> predictions;
  rclcpp::Publisher<Image>::SharedPtr camera;

private:
  std::atomic<bool> end_{false};
  std::thread shooting_;
};

TEST_F(ManagedNodeTest, AutostartsUnlessToldNotTo)
{
  parameters.erase("autostart");
  start_managed();
  EXPECT_EQ(managed->get_current_state().id(), State::PRIMARY_STATE_ACTIVE);
  EXPECT_TRUE(answers(1));
}

TEST_F(ManagedNodeTest, AnswersOnlyWhileItIsActive)
{
  start_managed();
  EXPECT_EQ(managed->get_current_state().id(), State::PRIMARY_STATE_UNCONFIGURED);
  EXPECT_EQ(robot->count_publishers("/mgproto/output/prediction"), 0u);

  ASSERT_TRUE(change(Transition::TRANSITION_CONFIGURE));
  EXPECT_FALSE(answers(1, 500ms));
  ASSERT_TRUE(change(Transition::TRANSITION_ACTIVATE));
  EXPECT_TRUE(answers(2));
  ASSERT_TRUE(change(Transition::TRANSITION_DEACTIVATE));
  EXPECT_FALSE(answers(3, 500ms));
  ASSERT_TRUE(change(Transition::TRANSITION_ACTIVATE));
  EXPECT_TRUE(answers(4));
  EXPECT_FALSE(change(Transition::TRANSITION_CLEANUP)) << "is for inactive ones";
  ASSERT_TRUE(change(Transition::TRANSITION_DEACTIVATE));
  ASSERT_TRUE(change(Transition::TRANSITION_CLEANUP));
  EXPECT_TRUE(
    wait_until([&] { return robot->count_publishers("/mgproto/output/prediction") == 0; }));
  ASSERT_TRUE(change(Transition::TRANSITION_UNCONFIGURED_SHUTDOWN));
}

TEST_F(ManagedNodeTest, GoesThroughAllTransitionsAHundredTimesUnderImages)
{
  start_managed();
  shoot();
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(change(Transition::TRANSITION_CONFIGURE)) << i;
    ASSERT_TRUE(change(Transition::TRANSITION_ACTIVATE)) << i;
    if (i % 10 == 0) {
      std::this_thread::sleep_for(50ms);  // in the middle of the work
    }
    ASSERT_TRUE(change(Transition::TRANSITION_DEACTIVATE)) << i;
    ASSERT_TRUE(change(Transition::TRANSITION_CLEANUP)) << i;
  }
  ASSERT_TRUE(change(Transition::TRANSITION_CONFIGURE));
  ASSERT_TRUE(change(Transition::TRANSITION_ACTIVATE));
  const auto after = listen<Prediction>("/mgproto/output/prediction");
  EXPECT_TRUE(after->wait_for_one());
  ASSERT_TRUE(change(Transition::TRANSITION_ACTIVE_SHUTDOWN));
}

#ifdef MGPROTO_BONDCPP
TEST_F(ManagedNodeTest, ItsManagerHearsThatItIsAlive)
{
  start_managed();
  const auto manager = std::make_shared<rclcpp::Node>("manager");
  rclcpp::executors::SingleThreadedExecutor of_manager;
  of_manager.add_node(manager);
  bool formed = false;
  bool broken = false;
  bond::Bond bond(
    "bond", "mgproto", manager, [&broken] { broken = true; }, [&formed] { formed = true; });
  bond.setHeartbeatPeriod(0.1);
  bond.setHeartbeatTimeout(1);  // seconds
  bond.start();
  const auto spin_until = [&](const bool & happened, std::chrono::seconds within) {
    const auto end = std::chrono::steady_clock::now() + within;
    while (!happened && std::chrono::steady_clock::now() < end) {
      of_manager.spin_once(20ms);
    }
    return happened;
  };

  ASSERT_TRUE(change(Transition::TRANSITION_CONFIGURE));
  ASSERT_TRUE(change(Transition::TRANSITION_ACTIVATE));
  EXPECT_TRUE(spin_until(formed, 10s));
  EXPECT_FALSE(spin_until(broken, 3s)) << "its heart beats";
  ASSERT_TRUE(change(Transition::TRANSITION_DEACTIVATE));
  EXPECT_TRUE(spin_until(broken, 10s));
}
#endif

TEST_F(ManagedNodeTest, AModelThatFailsLeavesItUnconfiguredAndAnotherOneCanBeSet)
{
  for (const bool autostart : {true, false}) {
    parameters["autostart"] = rclcpp::ParameterValue(autostart);
    parameters["model"] = rclcpp::ParameterValue("/nowhere/no.safetensors");
    start_managed();
    EXPECT_EQ(managed->get_current_state().id(), State::PRIMARY_STATE_UNCONFIGURED);
    EXPECT_FALSE(change(Transition::TRANSITION_CONFIGURE));
    EXPECT_EQ(managed->get_current_state().id(), State::PRIMARY_STATE_UNCONFIGURED);
    EXPECT_TRUE(managed->set_parameter(rclcpp::Parameter("model", kDemoModel)).successful);
    EXPECT_TRUE(change(Transition::TRANSITION_CONFIGURE));
    EXPECT_TRUE(change(Transition::TRANSITION_ACTIVATE));
    stop();
    managed.reset();
  }
}

TEST_F(ManagedNodeTest, WhatIsFixedCanBeSetUntilItIsConfigured)
{
  start_managed();
  EXPECT_TRUE(managed->set_parameter(rclcpp::Parameter("num_threads", 2)).successful);
  EXPECT_FALSE(managed->set_parameter(rclcpp::Parameter("num_threads", -1)).successful);
  ASSERT_TRUE(change(Transition::TRANSITION_CONFIGURE));
  const auto refused = managed->set_parameter(rclcpp::Parameter("num_threads", 1));
  EXPECT_FALSE(refused.successful);
  EXPECT_NE(refused.reason.find("num_threads"), std::string::npos) << refused.reason;
  EXPECT_TRUE(managed->set_parameter(rclcpp::Parameter("top_k", 2)).successful);
  ASSERT_TRUE(change(Transition::TRANSITION_ACTIVATE));
  ASSERT_TRUE(answers(1));
  EXPECT_EQ(predictions->with_stamp(1).scores.size(), 2u);
}

TEST_F(ManagedNodeTest, ATransportThatNeedsAPlainNodeIsRefusedByItsName)
{
  parameters["image_transport"] = rclcpp::ParameterValue("theora");
  start_managed();
  EXPECT_FALSE(change(Transition::TRANSITION_CONFIGURE));
  EXPECT_TRUE(
    managed->set_parameter(rclcpp::Parameter("image_transport", "compressed")).successful);
  EXPECT_TRUE(change(Transition::TRANSITION_CONFIGURE));
}

}  // namespace
}  // namespace mgproto_ros::test
