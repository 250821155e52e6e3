// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// The component is taught, by service and by message: a small model of three colours another one.

#include <gtest/gtest.h>

#include <mgproto_ros/msg/album.hpp>
#include <mgproto_ros/msg/teach_answer.hpp>
#include <mgproto_ros/msg/teach_request.hpp>
#include <mgproto_ros/srv/forget.hpp>
#include <mgproto_ros/srv/teach.hpp>
#include <std_srvs/srv/trigger.hpp>

#include "ros2/node_test.hpp"
#include "teach/discs.hpp"
#include "temporary_directory.hpp"

namespace mgproto_ros::test
{
namespace
{

using mgproto::test::disc;
using mgproto::test::kYellow;
using mgproto_ros::msg::Album;
using mgproto_ros::msg::TeachAnswer;
using mgproto_ros::msg::TeachRequest;
using mgproto_ros::srv::Forget;
using mgproto_ros::srv::Teach;
using std_srvs::srv::Trigger;

class NodeTeachingTest : public NodeTest
{
protected:
  NodeTeachingTest()
  {
    parameters["model"] = rclcpp::ParameterValue(MGPROTO_TEACHABLE_MODEL);
    parameters["teach.directory"] = rclcpp::ParameterValue(directory / "taught");
  }

  Prediction show(int index)
  {
    ++sec_;
    images->publish(image_of(disc(kYellow, index), sec_));
    EXPECT_TRUE(predictions->wait_for_stamp(sec_));
    return predictions->with_stamp(sec_);
  }
  /// Shows yellow discs until the album has so many.
  Album album_of(std::size_t count)
  {
    for (int index = 100; index < 400; ++index) {
      show(index);
      if (!albums->all().empty() && albums->all().back().images.size() >= count) {
        break;
      }
      std::this_thread::sleep_for(20ms);
    }
    return albums->all().back();
  }
  void begin()
  {
    start();
    albums = listen<Album>("/mgproto/output/album", rclcpp::QoS(1).reliable().transient_local());
    predictions = listen<Prediction>("/mgproto/output/prediction");
    images = advertise<Image>("/mgproto/input/image");
    ASSERT_TRUE(albums->wait_for_one());
  }

  const mgproto::test::TemporaryDirectory directory;
  std::shared_ptr<Inbox<Album>> albums;
  std::shared_ptr<Inbox<Prediction>> predictions;
  rclcpp::Publisher<Image>::SharedPtr images;

private:
  int sec_ = 0;
};

TEST_F(NodeTeachingTest, WhatItDoesNotKnowGetsANameByService)
{
  begin();
  Teach::Request request;
  request.name = "yellow";
  for (const auto & image : album_of(10).images) {
    request.album_ids.push_back(image.id);
  }

  const auto taught = call<Teach>("/mgproto/teach", request);

  ASSERT_TRUE(taught.success) << taught.message;
  int right = 0;
  for (int i = 0; i < 9; ++i) {
    const Prediction after = show(9000 + i);
    EXPECT_EQ(after.model_id, taught.model_id);
    right += after.class_name == "yellow" ? 1 : 0;
  }
  EXPECT_GE(right, 2);
  EXPECT_TRUE(
    wait_until([&] { return albums->all().back().taught == std::vector<std::string>{"yellow"}; }));
  request.name = "wren";
  EXPECT_FALSE(call<Teach>("/mgproto/teach", request).success) << "is a class of the model";
  EXPECT_TRUE(call<Trigger>("/mgproto/undo", Trigger::Request()).success);
  EXPECT_FALSE(call<Trigger>("/mgproto/undo", Trigger::Request()).success);
  Forget::Request forget;
  forget.name = "yellow";
  EXPECT_FALSE(call<Forget>("/mgproto/forget", forget).success);
}

TEST_F(NodeTeachingTest, AndByMessage)
{
  begin();
  const auto answers = listen<TeachAnswer>("/mgproto/output/taught", rclcpp::QoS(10).reliable());
  const auto teacher = advertise<TeachRequest>("/mgproto/input/teach");
  TeachRequest request;
  request.request_id = "mine";
  request.name = "yellow";
  for (const auto & image : album_of(3).images) {
    request.album_ids.push_back(image.id);
  }

  teacher->publish(request);

  ASSERT_TRUE(wait_until([&] { return !answers->all().empty(); }));
  const TeachAnswer answer = answers->all().front();
  EXPECT_TRUE(answer.success) << answer.message;
  EXPECT_EQ(answer.request_id, "mine");
  EXPECT_EQ(answer.classes, 4u);
  EXPECT_GT(answer.header.stamp.sec, 0);
}

}  // namespace
}  // namespace mgproto_ros::test
