// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// Parameters and services of the component, and its end.

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <future>
#include <mgproto_ros/srv/load_model.hpp>
#include <std_srvs/srv/set_bool.hpp>

#include "perception/diagnostics.hpp"
#include "perception/parameters.hpp"
#include "ros2/node_test.hpp"
#include "temporary_directory.hpp"

namespace mgproto_ros::test
{
namespace
{

using mgproto::perception::resident_memory;
using mgproto_ros::srv::LoadModel;
using std_srvs::srv::SetBool;

class ControlTest : public NodeTest
{
protected:
  ~ControlTest() override { stop_camera(); }

  /// Publishes until the end of the test.
  void start_camera()
  {
    camera = advertise<Image>("/mgproto/input/image");
    shooting = std::thread([this] {
      Image image = image_of(scene(SceneKind::SeenBird, 1), 0);
      while (!end) {
        ++image.header.stamp.sec;
        camera->publish(image);
        std::this_thread::sleep_for(5ms);
      }
    });
  }
  void stop_camera()
  {
    end = true;
    if (shooting.joinable()) {
      shooting.join();
    }
  }

  rclcpp::Publisher<Image>::SharedPtr camera;
  std::atomic<bool> end{false};
  std::thread shooting;
};

TEST_F(ControlTest, EveryParameterOfTheTableIsDeclaredWithItsDescription)
{
  start();
  for (const auto & parameter : mgproto::perception::parameters()) {
    const auto descriptor = node->describe_parameter(parameter.name);
    EXPECT_EQ(descriptor.description, parameter.description);
    EXPECT_EQ(descriptor.read_only, !parameter.dynamic) << parameter.name;
  }
  EXPECT_EQ(node->describe_parameter("ood.enter").integer_range.at(0).from_value, 1);
  EXPECT_EQ(node->describe_parameter("max_age").floating_point_range.at(0).from_value, 0.0);
}

TEST_F(ControlTest, ADynamicParameterTakesEffectAtOnce)
{
  start();
  const auto predictions = listen<Prediction>("/mgproto/output/prediction");
  const auto images = advertise<Image>("/mgproto/input/image");
  const Image image = image_of(scene(SceneKind::SeenBird, 1), 1);
  images->publish(image);
  ASSERT_TRUE(predictions->wait_for_stamp(1));
  EXPECT_EQ(predictions->with_stamp(1).scores.size(), 5u);

  EXPECT_TRUE(node->set_parameter(rclcpp::Parameter("top_k", 2)).successful);

  Image next = image;
  next.header.stamp.sec = 2;
  images->publish(next);
  ASSERT_TRUE(predictions->wait_for_stamp(2));
  EXPECT_EQ(predictions->with_stamp(2).scores.size(), 2u);
}

TEST_F(ControlTest, AWrongValueIsRejectedWithTheReasonAndTheOldOneIsKept)
{
  start();
  for (const auto & wrong :
       {rclcpp::Parameter("ood.enter", 0), rclcpp::Parameter("overlay.opacity", 7.0),
        rclcpp::Parameter("top_k", "many"), rclcpp::Parameter("model", "other.safetensors"),
        rclcpp::Parameter("device", "cuda")}) {
    const rclcpp::Parameter old = node->get_parameter(wrong.get_name());
    const auto result = node->set_parameter(wrong);
    EXPECT_FALSE(result.successful) << wrong;
    EXPECT_NE(result.reason, "") << wrong;
    EXPECT_EQ(node->get_parameter(wrong.get_name()), old);
  }
}

TEST_F(ControlTest, OfSeveralParametersAtOnceAllAreTakenOrNone)
{
  start();
  const auto result = node->set_parameters_atomically(
    {rclcpp::Parameter("top_k", 2), rclcpp::Parameter("ood.enter", 0)});
  EXPECT_FALSE(result.successful);
  EXPECT_EQ(node->get_parameter("top_k").as_int(), 5);
}

TEST_F(ControlTest, AWrongValueAtTheStartEndsTheConstructorAndSaysWhatIsAllowed)
{
  parameters["ood.enter"] = rclcpp::ParameterValue(0);
  try {
    start();
    FAIL() << "it has started";
  } catch (const std::exception & error) {
    EXPECT_NE(std::string(error.what()).find("ood.enter"), std::string::npos) << error.what();
  }
}

TEST_F(ControlTest, ItIsDisabledAndEnabledFiftyTimesWithoutGrowth)
{
  start();
  const auto predictions = listen<Prediction>("/mgproto/output/prediction");
  start_camera();
  SetBool::Request request;
  std::size_t after_ten = 0;
  for (int i = 0; i < 50; ++i) {
    after_ten = i == 10 ? resident_memory() : after_ten;
    request.data = false;
    const auto off = call<SetBool>("/mgproto/set_enabled", request);
    ASSERT_TRUE(off.success) << off.message;
    std::this_thread::sleep_for(20ms);  // what was published before is still on its way
    predictions->clear();
    std::this_thread::sleep_for(30ms);
    EXPECT_TRUE(predictions->all().empty());
    request.data = true;
    const auto on = call<SetBool>("/mgproto/set_enabled", request);
    ASSERT_TRUE(on.success) << on.message;
    ASSERT_TRUE(predictions->wait_for_one());
  }
  // The model's tensors alone are 3 MB.
  EXPECT_LT(resident_memory(), after_ten + 20'000'000);
}

TEST_F(ControlTest, NothingElseWaitsWhileAModelIsLoaded)
{
  start();
  rclcpp::AsyncParametersClient client(robot, "/mgproto");
  ASSERT_TRUE(client.wait_for_service(20s));
  LoadModel::Request request;  // of a model that takes longer than the demo's
  request.path = std::string(MGPROTO_SOURCE_DIR) + "/config/models/groceries.safetensors";
  auto loading =
    std::async(std::launch::async, [&] { return call<LoadModel>("/mgproto/load_model", request); });
  int answered = 0;
  while (loading.wait_for(0s) != std::future_status::ready) {
    auto top_k = client.get_parameters({"top_k"});
    ASSERT_EQ(top_k.wait_for(20s), std::future_status::ready);
    ++answered;
  }
  EXPECT_TRUE(loading.get().success);
  EXPECT_GT(answered, 3);
}

TEST_F(ControlTest, TheModelIsSwappedUnderLoadAndAFailingSwapKeepsTheOldOne)
{
  const mgproto::test::TemporaryDirectory directory;
  const std::string other = directory / "other.safetensors";
  const std::string broken = directory / "broken.safetensors";
  std::filesystem::copy_file(kDemoModel, other);
  std::ofstream(broken) << "no checkpoint";
  start();
  const auto predictions = listen<Prediction>("/mgproto/output/prediction");
  start_camera();
  ASSERT_TRUE(predictions->wait_for_one());
  LoadModel::Request request;

  request.path = broken;
  const auto failed = call<LoadModel>("/mgproto/load_model", request);
  EXPECT_FALSE(failed.success);
  EXPECT_NE(failed.message.find(broken), std::string::npos) << failed.message;
  EXPECT_EQ(failed.model_id, kDemoModelId);
  predictions->clear();
  ASSERT_TRUE(predictions->wait_for_one());
  EXPECT_EQ(predictions->all().at(0).model_id, kDemoModelId);

  request.path = other;
  const auto swapped = call<LoadModel>("/mgproto/load_model", request);
  EXPECT_TRUE(swapped.success) << swapped.message;
  EXPECT_EQ(swapped.model_id, "other" + kDemoHash);
  EXPECT_TRUE(predictions->wait_for(
    [](const Prediction & prediction) { return prediction.model_id == "other" + kDemoHash; }));
}

TEST_F(ControlTest, ItEndsInTheMiddleOfTheWork)
{
  for (int i = 0; i < 5; ++i) {
    start();
    const auto predictions = listen<Prediction>("/mgproto/output/prediction");
    if (!shooting.joinable()) {
      start_camera();
    }
    ASSERT_TRUE(predictions->wait_for_one());
    // As a container with several threads unloads it: the others may be in a callback.
    executor->remove_node(node);
    node.reset();
    stop();
    entities.clear();
  }
}

}  // namespace
}  // namespace mgproto_ros::test
