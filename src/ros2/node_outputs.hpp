// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ROS2__NODE_OUTPUTS_HPP_
#define ROS2__NODE_OUTPUTS_HPP_

#include <diagnostic_msgs/msg/diagnostic_array.hpp>
#include <mgproto_ros/msg/album.hpp>
#include <mgproto_ros/msg/evidence_maps.hpp>
#include <mgproto_ros/msg/ood_flag.hpp>
#include <mgproto_ros/msg/prediction.hpp>
#include <mgproto_ros/msg/prototype_gallery.hpp>
#include <mgproto_ros/msg/teach_answer.hpp>
#include <optional>
#include <rclcpp/rclcpp.hpp>
#include <sensor_msgs/msg/compressed_image.hpp>
#include <sensor_msgs/msg/image.hpp>
#include <string>
#include <vector>
#include <vision_msgs/msg/classification.hpp>
#include <vision_msgs/msg/detection2_d_array.hpp>
#include <vision_msgs/msg/detection3_d_array.hpp>
#include <vision_msgs/msg/label_info.hpp>
#include <vision_msgs/msg/vision_info.hpp>
#include <visualization_msgs/msg/marker_array.hpp>

#include "perception/perception.hpp"
#include "ros2/node_handle.hpp"

namespace mgproto_ros
{

/// Everything that the node publishes. Owns the publishers.
class NodeOutputs : public mgproto::perception::Outputs
{
public:
  /// `settings` name the cameras.
  NodeOutputs(NodeHandle & node, const mgproto::perception::Settings & settings);

  void publish_diagnostics(const std::vector<mgproto::perception::Diagnosis> & diagnosis);
  void publish_album(const mgproto::perception::AlbumState & album, const std::string & model_id);
  /// With the stamp of now.
  void publish_answer(mgproto_ros::msg::TeachAnswer answer);

  void model_changed(const mgproto::perception::ModelInfo & model) override;
  void publish(const mgproto::perception::FramePrediction & prediction) override;
  bool wants_evidence(int camera) const override;
  bool wants_overlay(int camera) const override;
  void publish_evidence(const mgproto::perception::FramePrediction & prediction) override;
  void publish_overlay(
    int camera, const mgproto::perception::Header & header, const cv::Mat & bgr) override;
  void log(mgproto::perception::LogLevel level, const std::string & text) override;
  mgproto::perception::Stamp now() const override;

private:
  template <class Message>
  using Publisher = typename rclcpp::Publisher<Message>::SharedPtr;

  struct PositionPublishers
  {
    PositionPublishers(NodeHandle & node, const std::string & camera);

    Publisher<vision_msgs::msg::Detection3DArray> detections_3d;
    Publisher<visualization_msgs::msg::MarkerArray> markers;
    std::string ns;  // of the markers
  };

  struct CameraPublishers
  {
    CameraPublishers(NodeHandle & node, const std::string & camera, bool use_depth);

    Publisher<mgproto_ros::msg::Prediction> prediction;
    Publisher<mgproto_ros::msg::OodFlag> ood;
    Publisher<vision_msgs::msg::Classification> classification;
    Publisher<vision_msgs::msg::Detection2DArray> detections;
    Publisher<mgproto_ros::msg::EvidenceMaps> evidence;
    Publisher<sensor_msgs::msg::Image> overlay;
    Publisher<sensor_msgs::msg::CompressedImage> overlay_compressed;
    std::optional<PositionPublishers> positions;
  };

  struct ModelPublishers
  {
    explicit ModelPublishers(NodeHandle & node);

    Publisher<mgproto_ros::msg::PrototypeGallery> prototypes;
    Publisher<vision_msgs::msg::VisionInfo> vision_info;
    Publisher<vision_msgs::msg::LabelInfo> label_info;
    Publisher<mgproto_ros::msg::Album> album;
    Publisher<mgproto_ros::msg::TeachAnswer> taught;
  };

  const rclcpp::Clock::SharedPtr clock_;
  const rclcpp::Logger logger_;
  const std::string node_name_;
  const ModelPublishers model_;
  std::vector<CameraPublishers> cameras_;
  const Publisher<diagnostic_msgs::msg::DiagnosticArray> diagnostics_;
};

}  // namespace mgproto_ros

#endif  // ROS2__NODE_OUTPUTS_HPP_
