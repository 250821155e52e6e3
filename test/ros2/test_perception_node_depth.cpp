// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// Where things are: depth and camera info in, positions and markers out.

#include <gtest/gtest.h>

#include <cstring>
#include <sensor_msgs/msg/camera_info.hpp>
#include <vision_msgs/msg/detection3_d_array.hpp>
#include <visualization_msgs/msg/marker_array.hpp>

#include "ros2/node_test.hpp"

namespace mgproto_ros::test
{
namespace
{

using sensor_msgs::msg::CameraInfo;
using vision_msgs::msg::Detection3DArray;
using visualization_msgs::msg::Marker;
using visualization_msgs::msg::MarkerArray;

constexpr std::uint32_t kSide = 96;

/// A wall, in metres.
Image depth_of(const Image & image, float metres)
{
  Image depth;
  depth.header = image.header;
  depth.width = depth.height = kSide;
  depth.encoding = "32FC1";
  depth.step = 4 * kSide;
  depth.data.resize(std::size_t{depth.step} * kSide);
  for (std::size_t i = 0; i < std::size_t{kSide} * kSide; ++i) {
    std::memcpy(depth.data.data() + 4 * i, &metres, sizeof metres);
  }
  return depth;
}

class DepthNodeTest : public NodeTest
{
protected:
  DepthNodeTest() { parameters["use_depth"] = rclcpp::ParameterValue(true); }

  void start_with_depth_camera()
  {
    start();
    camera = advertise<Image>("/mgproto/input/image");
    depths = advertise<Image>("/mgproto/input/depth");
    infos = advertise<CameraInfo>("/mgproto/input/camera_info");
  }
  /// Depth and camera info first: what comes after the answer does not count.
  void show(const cv::Mat & picture, int sec, float metres)
  {
    const Image image = image_of(picture, sec);
    CameraInfo info;
    info.header = image.header;
    info.width = info.height = kSide;
    info.k = {80, 0, 47.5, 0, 80, 47.5, 0, 0, 1};
    infos->publish(info);
    depths->publish(depth_of(image, metres));
    std::this_thread::sleep_for(100ms);
    camera->publish(image);
  }

  rclcpp::Publisher<Image>::SharedPtr camera;
  rclcpp::Publisher<Image>::SharedPtr depths;
  rclcpp::Publisher<CameraInfo>::SharedPtr infos;
};

TEST_F(DepthNodeTest, ABirdAndAStrangerHaveTheirPlaceInSpace)
{
  start_with_depth_camera();
  const auto positions = listen<Detection3DArray>("/mgproto/output/detections_3d");
  const auto markers = listen<MarkerArray>("/mgproto/output/markers");

  show(scene(SceneKind::SeenBird, 1), 41, 1.25f);
  ASSERT_TRUE(positions->wait_for_stamp(41));
  const Detection3DArray bird = positions->all().at(0);
  EXPECT_EQ(bird.header, image_of(cv::Mat(1, 1, CV_8UC3), 41).header);
  ASSERT_EQ(bird.detections.size(), 1u);
  EXPECT_EQ(bird.detections[0].results.at(0).hypothesis.class_id, "1");
  EXPECT_NEAR(bird.detections[0].bbox.center.position.z, 1.25, 1e-6);
  EXPECT_GT(bird.detections[0].results[0].pose.covariance[14], 0);

  show(scene(SceneKind::Texture, 0), 42, 0.75f);
  ASSERT_TRUE(positions->wait_for_stamp(42));
  const Detection3DArray stranger = positions->all().at(1);
  ASSERT_EQ(stranger.detections.size(), 1u);
  EXPECT_EQ(stranger.detections[0].results.at(0).hypothesis.class_id, "unknown");
  EXPECT_NEAR(stranger.detections[0].bbox.center.position.z, 0.75, 1e-6);

  ASSERT_TRUE(wait_until([&] { return markers->all().size() == 2; }));
  EXPECT_EQ(markers->all()[0].markers.at(2).text.rfind("KNOWN", 0), 0u);
  EXPECT_EQ(markers->all()[1].markers.at(0).action, Marker::DELETEALL);
  EXPECT_EQ(markers->all()[1].markers.at(1).ns, "mgproto");
  EXPECT_EQ(markers->all()[1].markers.at(2).text, "UNKNOWN");
}

TEST_F(DepthNodeTest, AnImageWithoutDepthIsAnsweredAtOnceAndSaysNothingOfItsPlace)
{
  start_with_depth_camera();
  const auto predictions = listen<Prediction>("/mgproto/output/prediction");
  const auto positions = listen<Detection3DArray>("/mgproto/output/detections_3d");

  camera->publish(image_of(scene(SceneKind::SeenBird, 1), 41));
  ASSERT_TRUE(predictions->wait_for_stamp(41));
  Image broken = depth_of(image_of(scene(SceneKind::SeenBird, 1), 42), 1);
  broken.data.resize(7);
  depths->publish(broken);
  std::this_thread::sleep_for(100ms);
  camera->publish(image_of(scene(SceneKind::SeenBird, 1), 42));
  ASSERT_TRUE(predictions->wait_for_stamp(42));
  EXPECT_TRUE(positions->all().empty());

  show(scene(SceneKind::SeenBird, 1), 43, 1);
  EXPECT_TRUE(positions->wait_for_stamp(43));
  EXPECT_EQ(positions->all().size(), 1u);
}

TEST_F(DepthNodeTest, EveryCameraHasItsDepthAlsoWithinOneProcess)
{
  parameters["cameras"] = rclcpp::ParameterValue(std::vector<std::string>{"front", "rear"});
  intra_process = true;
  start();
  for (const std::string name : {"front", "rear"}) {
    camera = advertise<Image>("/mgproto/" + name + "/input/image");
    depths = advertise<Image>("/mgproto/" + name + "/input/depth");
    infos = advertise<CameraInfo>("/mgproto/" + name + "/input/camera_info");
    const auto positions = listen<Detection3DArray>("/mgproto/" + name + "/output/detections_3d");
    const auto markers = listen<MarkerArray>("/mgproto/" + name + "/output/markers");
    show(scene(SceneKind::SeenBird, 1), 41, 2);
    EXPECT_TRUE(positions->wait_for_stamp(41));
    ASSERT_TRUE(wait_until([&] { return !markers->all().empty(); }));
    EXPECT_EQ(markers->all()[0].markers.at(1).ns, name);
  }
}

TEST_F(NodeTest, WithoutDepthThereAreNoTopicsForIt)
{
  start();
  EXPECT_EQ(robot->count_publishers("/mgproto/output/detections_3d"), 0u);
  EXPECT_EQ(node->count_publishers("/mgproto/output/markers"), 0u);
  EXPECT_EQ(node->count_subscribers("/mgproto/input/depth"), 0u);
}

}  // namespace
}  // namespace mgproto_ros::test
