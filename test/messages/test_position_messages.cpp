// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// Where things are, as other nodes and rviz read it.

#include <gtest/gtest.h>

#include <memory>

#include "messages/header.hpp"
#include "messages/position_messages.hpp"
#include "visual/palette.hpp"

namespace mgproto::messages
{
namespace
{

using perception::FramePrediction;
using perception::ModelInfo;
using perception::RegionPrediction;
using visualization_msgs::msg::Marker;

/// A known jay at 2 m, a stranger at 3 m, and something without depth.
FramePrediction three_things()
{
  auto model = std::make_shared<ModelInfo>();
  model->manifest.classes = {"wren", "jay"};
  FramePrediction frame;
  frame.header = {{12, 34}, "optical"};
  frame.model = model;
  frame.has_depth = true;
  frame.top_k = 2;
  for (const std::string id : {"a", "b", "c"}) {
    RegionPrediction & region = frame.regions.emplace_back();
    region.detection_id = id;
    region.prediction.class_id = 1;
    region.prediction.ranking = {1, 0};
    region.prediction.posterior = {0.07f, 0.93f};
    region.prediction.verdict = Verdict::unknown;
  }
  frame.regions[0].prediction.verdict = Verdict::known;
  frame.regions[0].unknown = false;
  perception::Position position;
  position.x = 0.5;
  position.y = -0.25;
  position.z = 2;
  position.covariance = {1, 2, 3, 2, 5, 6, 3, 6, 9};
  position.width = 0.4;
  position.height = 0.2;
  position.thickness = 0.004;
  frame.regions[0].position = position;
  position.z = 3;
  frame.regions[1].position = position;
  return frame;
}

TEST(Detections3d, EachRegionWithAPositionIsOne)
{
  const auto message = detections_3d_message(three_things());

  EXPECT_EQ(message.header, header_message({{12, 34}, "optical"}));
  ASSERT_EQ(message.detections.size(), 2u);
  const auto & jay = message.detections[0];
  EXPECT_EQ(jay.id, "a");
  EXPECT_EQ(jay.header, message.header);
  EXPECT_EQ(jay.bbox.center.position.x, 0.5);
  EXPECT_EQ(jay.bbox.center.position.y, -0.25);
  EXPECT_EQ(jay.bbox.center.position.z, 2);
  EXPECT_EQ(jay.bbox.center.orientation.w, 1);
  EXPECT_EQ(jay.bbox.size.x, 0.4);
  EXPECT_EQ(jay.bbox.size.y, 0.2);
  EXPECT_EQ(jay.bbox.size.z, 0.004);
}

TEST(Detections3d, AKnownOneNamesItsClassesEachWithThePosition)
{
  const auto message = detections_3d_message(three_things());

  const auto & results = message.detections[0].results;
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0].hypothesis.class_id, "1");
  EXPECT_FLOAT_EQ(results[0].hypothesis.score, 0.93f);
  EXPECT_EQ(results[1].hypothesis.class_id, "0");
  for (const auto & result : results) {
    EXPECT_EQ(result.pose.pose, message.detections[0].bbox.center);
    const auto & covariance = result.pose.covariance;
    EXPECT_EQ(covariance[0], 1);
    EXPECT_EQ(covariance[1], 2);
    EXPECT_EQ(covariance[6], 2);
    EXPECT_EQ(covariance[8], 6);
    EXPECT_EQ(covariance[14], 9);
    EXPECT_EQ(covariance[3], 0);
    for (const int rotation : {21, 28, 35}) {
      EXPECT_NEAR(covariance[rotation], 3.29, 0.01) << "any angle";
    }
  }
}

TEST(Detections3d, WhatIsNotKnownIsThereAndCalledUnknown)
{
  FramePrediction frame = three_things();
  const auto expect_unknown = [&](const vision_msgs::msg::Detection3D & detection) {
    ASSERT_EQ(detection.results.size(), 1u);
    EXPECT_EQ(detection.results[0].hypothesis.class_id, "unknown");
    EXPECT_EQ(detection.results[0].hypothesis.score, 1);
    EXPECT_EQ(detection.results[0].pose.pose, detection.bbox.center);
    EXPECT_EQ(detection.results[0].pose.covariance[0], 1);
  };
  expect_unknown(detections_3d_message(frame).detections[1]);
  frame.regions[0].unknown = true;  // the flag over time is still up
  expect_unknown(detections_3d_message(frame).detections[0]);
  frame.regions[0].prediction.verdict = Verdict::uncalibrated;
  expect_unknown(detections_3d_message(frame).detections[0]);
}

TEST(Detections3d, WithoutAPositionThereIsNone)
{
  FramePrediction frame = three_things();
  frame.regions.erase(frame.regions.begin(), frame.regions.begin() + 2);
  EXPECT_TRUE(detections_3d_message(frame).detections.empty());
}

TEST(Markers, ABoxInTheColourOfTheVerdictAndWordsAboveIt)
{
  const auto message = markers_message(three_things(), "front");

  ASSERT_EQ(message.markers.size(), 5u);
  const Marker & clear = message.markers[0];
  EXPECT_EQ(clear.action, Marker::DELETEALL);
  EXPECT_EQ(clear.ns, "front");
  const Marker & box = message.markers[1];
  EXPECT_EQ(box.type, Marker::CUBE);
  EXPECT_EQ(box.pose.position.z, 2);
  EXPECT_EQ(box.scale.x, 0.4);
  EXPECT_EQ(box.scale.z, 0.01) << "thick enough to be seen";
  const cv::Scalar green = visual::verdict_colour(Verdict::known);
  EXPECT_FLOAT_EQ(box.color.r, static_cast<float>(green[2] / 255));
  EXPECT_FLOAT_EQ(box.color.g, static_cast<float>(green[1] / 255));
  EXPECT_GT(box.color.a, 0);
  EXPECT_LT(box.color.a, 1);
  const Marker & words = message.markers[2];
  EXPECT_EQ(words.type, Marker::TEXT_VIEW_FACING);
  EXPECT_EQ(words.text, "KNOWN jay 0.93");
  EXPECT_LT(words.pose.position.y + words.scale.z / 2, box.pose.position.y - box.scale.y / 2)
    << "above: y is down";
  EXPECT_EQ(words.color.a, 1);
  EXPECT_EQ(message.markers[4].text, "UNKNOWN");
  EXPECT_FLOAT_EQ(
    message.markers[3].color.r,
    static_cast<float>(visual::verdict_colour(Verdict::unknown)[2] / 255));
}

TEST(Markers, HaveTheHeaderOfTheImageAnIdOfTheirOwnAndAnEnd)
{
  FramePrediction frame = three_things();
  const auto message = markers_message(frame, "front");
  for (std::size_t i = 1; i < message.markers.size(); ++i) {
    const Marker & marker = message.markers[i];
    EXPECT_EQ(marker.header, header_message(frame.header));
    EXPECT_EQ(marker.ns, "front");
    EXPECT_EQ(marker.id, static_cast<int>(i) - 1);
    EXPECT_EQ(marker.action, Marker::ADD);
    EXPECT_GT(marker.lifetime.sec, 0);
    EXPECT_EQ(marker.pose.orientation.w, 1);
  }
  frame.regions[0].position.reset();
  EXPECT_EQ(markers_message(frame, "front").markers.at(1).id, 2) << "the second keeps its id";
}

TEST(Markers, SayWhatIsToBeActedOn)
{
  FramePrediction frame = three_things();
  frame.regions[0].unknown = true;
  EXPECT_EQ(markers_message(frame, "").markers[2].text, "UNKNOWN");
  frame.regions[0].prediction.verdict = Verdict::uncalibrated;
  EXPECT_EQ(markers_message(frame, "").markers[2].text, "UNCALIBRATED");
  frame.regions[0].prediction.verdict = Verdict::known;
  frame.regions[0].unknown = false;
  frame.regions[0].prediction.class_id = 7;
  EXPECT_EQ(markers_message(frame, "").markers[2].text, "KNOWN") << "a class that is none";
  frame.model.reset();
  EXPECT_EQ(markers_message(frame, "").markers[2].text, "KNOWN");
}

}  // namespace
}  // namespace mgproto::messages
