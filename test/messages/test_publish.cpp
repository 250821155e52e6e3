// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// What every host publishes, and in which order.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "messages/publish.hpp"

namespace mgproto::messages
{
namespace
{

using perception::FramePrediction;

/// Topics that stand for publishers, and what was sent to them.
struct Recording
{
  std::string prediction = "prediction", ood = "ood", classification = "classification",
              detections = "detections", evidence = "evidence", prototypes = "prototypes",
              vision_info = "vision_info", label_info = "label_info",
              detections_3d = "detections_3d", markers = "markers";
};

class Sent
{
public:
  template <class Message>
  void operator()(const std::string & topic, const Message & message) const
  {
    log->push_back(topic + id_of(message));
  }

  std::vector<std::string> * log;

private:
  template <class Message>
  static auto id_of(const Message & message) -> decltype(" " + message.detection_id)
  {
    return " " + message.detection_id;
  }
  static std::string id_of(const vision_msgs::msg::Classification &) { return ""; }
  static std::string id_of(const vision_msgs::msg::Detection2DArray & message)
  {
    return " of " + std::to_string(message.detections.size());
  }
  static std::string id_of(const vision_msgs::msg::Detection3DArray & message)
  {
    return " of " + std::to_string(message.detections.size());
  }
  static std::string id_of(const visualization_msgs::msg::MarkerArray & message)
  {
    return " of " + message.markers.at(0).ns;
  }
  static std::string id_of(const mgproto_ros::msg::PrototypeGallery &) { return ""; }
  static std::string id_of(const vision_msgs::msg::VisionInfo &) { return ""; }
  static std::string id_of(const vision_msgs::msg::LabelInfo &) { return ""; }
};

FramePrediction frame_with(const std::vector<std::string> & detection_ids)
{
  FramePrediction frame;
  for (const std::string & id : detection_ids) {
    frame.regions.emplace_back().detection_id = id;
  }
  return frame;
}

std::vector<std::string> sent_of(const FramePrediction & frame)
{
  std::vector<std::string> log;
  const Recording to;
  publish_prediction(frame, to, Sent{&log});
  publish_evidence(frame, to, Sent{&log});
  return log;
}

TEST(Publish, OfAWholeImagePredictionFlagClassificationAndDetections)
{
  EXPECT_EQ(
    sent_of(frame_with({""})),
    (std::vector<std::string>{
      "prediction ", "ood ", "classification", "detections of 1", "evidence "}));
}

TEST(Publish, OfRegionsAllPredictionsThenAllFlagsAndNoClassification)
{
  EXPECT_EQ(
    sent_of(frame_with({"a", "b"})), (std::vector<std::string>{
                                       "prediction a", "prediction b", "ood a", "ood b",
                                       "detections of 2", "evidence a", "evidence b"}));
}

TEST(Publish, WithoutARegionTheDetectionsSayThatThereIsNone)
{
  EXPECT_EQ(sent_of(frame_with({})), (std::vector<std::string>{"detections of 0"}));
}

TEST(Publish, WhereThingsAreIsSaidWhereThereIsDepthAndShownWhereItIsWanted)
{
  const auto positions_of = [](const FramePrediction & frame, bool with_markers) {
    std::vector<std::string> log;
    const Recording to;
    publish_positions(frame, "front", with_markers, to, Sent{&log});
    return log;
  };
  FramePrediction frame = frame_with({"a", "b"});
  EXPECT_TRUE(positions_of(frame, true).empty()) << "no depth";
  frame.has_depth = true;
  EXPECT_EQ(positions_of(frame, false), (std::vector<std::string>{"detections_3d of 0"}));
  frame.regions[1].position.emplace();
  EXPECT_EQ(
    positions_of(frame, true),
    (std::vector<std::string>{"detections_3d of 1", "markers of front"}));
}

TEST(Publish, AModelIsShownFromItsPrototypesToItsLabels)
{
  std::vector<std::string> log;
  const Recording to;
  publish_model(perception::ModelInfo(), {}, to, Sent{&log});
  EXPECT_EQ(log, (std::vector<std::string>{"prototypes", "vision_info", "label_info"}));
}

}  // namespace
}  // namespace mgproto::messages
