// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// The trust gate as a component: flags in, trust and speed limit out, parameters, and simulated time.
// When it trusts and when not is tested in test/perception/test_trust_gate.cpp.

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <rosgraph_msgs/msg/clock.hpp>
#include <string>
#include <thread>
#include <vector>

#include "ros2/inbox.hpp"
#include "ros2/trust_gate_node.hpp"

namespace mgproto_ros::test
{
namespace
{

using namespace std::chrono_literals;
using diagnostic_msgs::msg::DiagnosticArray;
using mgproto_ros::msg::OodFlag;
using rosgraph_msgs::msg::Clock;
using std_msgs::msg::Bool;

bool wait_until(const std::function<bool()> & condition, std::chrono::seconds time = 20s)
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

/// A gate, and beside it a node `robot` that tells it flags and listens.
class TrustGateTest : public ::testing::Test
{
protected:
  static void SetUpTestSuite() { rclcpp::init(0, nullptr); }
  static void TearDownTestSuite() { rclcpp::shutdown(); }

  TrustGateTest()
  {
    trusts = listen<Bool>("/trust_gate/output/trusted");
    diagnostics = listen<DiagnosticArray>("/diagnostics");
    flags = robot->create_publisher<OodFlag>("/trust_gate/input/ood", 10);
    executor.add_node(robot);
  }
  ~TrustGateTest() override { stop(); }

  void start()
  {
    rclcpp::NodeOptions options;
    for (const auto & [name, value] : parameters) {
      options.append_parameter_override(name, value);
    }
    options.arguments(arguments);
    gate = std::make_shared<TrustGate>(options);
    executor.add_node(gate);
    thread = std::thread([this] { executor.spin(); });
    ASSERT_TRUE(wait_until([&] { return flags->get_subscription_count() > 0; }));
  }
  void stop()
  {
    if (thread.joinable()) {
      executor.cancel();
      thread.join();
    }
    gate.reset();
  }

  template <class Message>
  std::shared_ptr<Inbox<Message>> listen(
    const std::string & topic, const rclcpp::QoS & qos = rclcpp::QoS(10))
  {
    auto inbox = std::make_shared<Inbox<Message>>();
    entities.push_back(robot->create_subscription<Message>(
      topic, qos,
      [inbox](const typename Message::ConstSharedPtr & message) { inbox->add(*message); }));
    return inbox;
  }

  static OodFlag flag(bool unknown, const rclcpp::Time & stamp)
  {
    OodFlag message;
    message.header.stamp = stamp;
    message.unknown = unknown;
    message.reason = unknown ? "unlike anything in training" : "";
    return message;
  }
  bool said(bool trusted) const
  {
    const auto all = trusts->all();
    return !all.empty() && all.back().data == trusted;
  }
  /// Whether the gate comes to trust while it is told known images of now.
  bool comes_to_trust()
  {
    return wait_until([&] {
      flags->publish(flag(false, robot->now()));
      std::this_thread::sleep_for(20ms);
      return said(true);
    });
  }
  std::string diagnosis() const
  {
    const auto all = diagnostics->all();
    return all.empty() ? "" : all.back().status.at(0).message;
  }
  bool is_diagnosed(const std::string & text)
  {
    return wait_until([&] { return diagnosis().find(text) != std::string::npos; });
  }

  std::map<std::string, rclcpp::ParameterValue> parameters{
    {"timeout", rclcpp::ParameterValue(0.5)}, {"recover_seconds", rclcpp::ParameterValue(0.3)}};
  std::vector<std::string> arguments;

  std::shared_ptr<rclcpp::Node> robot = std::make_shared<rclcpp::Node>("robot");
  std::vector<std::shared_ptr<void>> entities;
  std::shared_ptr<Inbox<Bool>> trusts;
  std::shared_ptr<Inbox<DiagnosticArray>> diagnostics;
  rclcpp::Publisher<OodFlag>::SharedPtr flags;
  std::shared_ptr<TrustGate> gate;
  rclcpp::executors::MultiThreadedExecutor executor{rclcpp::ExecutorOptions(), 2};
  std::thread thread;
};

TEST_F(TrustGateTest, DoesNotTrustBeforeTheFirstFlag)
{
  start();
  ASSERT_TRUE(wait_until([&] { return trusts->all().size() >= 3; }));  // repeated by its rate
  for (const Bool & message : trusts->all()) {
    EXPECT_FALSE(message.data);
  }
  EXPECT_EQ(diagnosis(), "not trusted: /trust_gate/input/ood: nothing heard yet");
}

TEST_F(TrustGateTest, RecoversAndFallsForAnUnknownImageAndForSilence)
{
  start();
  ASSERT_TRUE(comes_to_trust());
  flags->publish(flag(true, robot->now()));
  EXPECT_TRUE(is_diagnosed("unknown: unlike anything in training"));
  EXPECT_TRUE(wait_until([&] { return said(false); }));

  ASSERT_TRUE(comes_to_trust());
  EXPECT_TRUE(wait_until([&] { return said(false); }));
  EXPECT_TRUE(is_diagnosed("silent for "));
}

TEST_F(TrustGateTest, TellsALateListenerAtOnce)
{
  parameters["rate"] = rclcpp::ParameterValue(0.1);
  start();
  const auto late =
    listen<Bool>("/trust_gate/output/trusted", rclcpp::QoS(1).reliable().transient_local());
  EXPECT_TRUE(late->wait_for([](const Bool & message) { return !message.data; }, 5s));
}

#ifdef MGPROTO_NAV2_MSGS
TEST_F(TrustGateTest, LimitsTheSpeedInPercentAsNav2Listens)
{
  using nav2_msgs::msg::SpeedLimit;
  arguments = {"--ros-args", "-r", "~/output/speed_limit:=/speed_limit"};
  parameters["speed.untrusted"] = rclcpp::ParameterValue(15.5);
  const auto limits = listen<SpeedLimit>("/speed_limit");  // QoS as in nav2_controller
  const auto limited_to = [&](double percent) {
    const auto all = limits->all();
    return !all.empty() && all.back().percentage && all.back().speed_limit == percent;
  };
  start();
  EXPECT_TRUE(wait_until([&] { return limited_to(15.5); }));
  ASSERT_TRUE(comes_to_trust());
  EXPECT_TRUE(wait_until([&] { return limited_to(100); }));
  EXPECT_TRUE(wait_until([&] { return limited_to(15.5); }));
}
#endif

TEST_F(TrustGateTest, GoesByTheClockOfASimulation)
{
  parameters["use_sim_time"] = rclcpp::ParameterValue(true);
  parameters["timeout"] = rclcpp::ParameterValue(2.0);
  const auto clock = robot->create_publisher<Clock>("/clock", rclcpp::ClockQoS());
  start();
  // Stamps of the simulation, which began long ago, or may never have been.
  double now = 0;
  const auto passes = [&](double seconds, double age) {
    now += seconds;
    Clock time;
    time.clock = rclcpp::Time(static_cast<std::int64_t>(now * 1e9), RCL_ROS_TIME);
    clock->publish(time);
    flags->publish(
      flag(false, rclcpp::Time(static_cast<std::int64_t>((now - age) * 1e9), RCL_ROS_TIME)));
    std::this_thread::sleep_for(20ms);
  };
  flags->publish(flag(false, rclcpp::Time(100, 0, RCL_ROS_TIME)));
  EXPECT_TRUE(is_diagnosed("the clock has not started: nothing on /clock"));

  now = 100;
  EXPECT_TRUE(wait_until([&] {
    passes(0.02, 0.1);
    return said(true);
  }));
  EXPECT_TRUE(wait_until([&] {  // stale, by a clock that runs ten times as fast
    passes(0.2, 5);
    return said(false);
  }));
  EXPECT_TRUE(wait_until([&] {
    passes(0.02, 5);
    return diagnosis().find("old by its stamp") != std::string::npos;
  }));
  EXPECT_TRUE(wait_until([&] {
    passes(0.02, 0.1);
    return said(true);
  }));
  passes(-50, 0);
  EXPECT_TRUE(wait_until([&] { return said(false); }, 2s));
  EXPECT_TRUE(is_diagnosed("since the clock was set back"));
}

TEST_F(TrustGateTest, TakesParametersWhileItRunsAndRefusesWrongOnes)
{
  start();
  EXPECT_TRUE(gate->set_parameter(rclcpp::Parameter("timeout", 3.0)).successful);
  ASSERT_TRUE(comes_to_trust());
  std::this_thread::sleep_for(1s);
  EXPECT_TRUE(said(true));

  EXPECT_FALSE(gate->set_parameter(rclcpp::Parameter("speed.untrusted", 0.0)).successful);
  EXPECT_FALSE(
    gate->set_parameter(rclcpp::Parameter("flags", std::vector<std::string>{"/x"})).successful);
  const auto rising = gate->set_parameter(rclcpp::Parameter("speed.trusted", 10.0));
  EXPECT_FALSE(rising.successful);
  EXPECT_EQ(rising.reason, "speed.untrusted: expected at most speed.trusted, which is 10, not 20");
  EXPECT_EQ(gate->get_parameter("speed.trusted").as_double(), 100);
}

TEST_F(TrustGateTest, DoesNotStartWithParametersThatAreWrong)
{
  const auto problem = [&](const std::string & name, const rclcpp::ParameterValue & value) {
    rclcpp::NodeOptions options;
    options.append_parameter_override(name, value);
    try {
      TrustGate started(options);
    } catch (const std::exception & error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(
    problem("speed.untrusted", rclcpp::ParameterValue(0.0)),
    "speed.untrusted: expected a number, 1 to 100, not 0.0");
  const std::string topic =
    problem("flags", rclcpp::ParameterValue(std::vector<std::string>{"a b"}));
  EXPECT_NE(topic.find("topic name"), std::string::npos) << topic;
}

TEST_F(TrustGateTest, EndsWhileItIsTold)
{
  for (int life = 0; life < 20; ++life) {
    rclcpp::executors::MultiThreadedExecutor of_gate(rclcpp::ExecutorOptions(), 2);
    auto one = std::make_shared<TrustGate>(rclcpp::NodeOptions());
    of_gate.add_node(one);
    std::thread spinning([&] { of_gate.spin(); });
    while (!of_gate.is_spinning()) {
      std::this_thread::sleep_for(1ms);
    }
    for (int i = 0; i < 20; ++i) {
      flags->publish(flag(false, robot->now()));
    }
    of_gate.remove_node(one);
    one.reset();
    of_gate.cancel();
    spinning.join();
  }
}

}  // namespace
}  // namespace mgproto_ros::test
