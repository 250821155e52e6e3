// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DDS__OWN_MESSAGES_HPP_
#define DDS__OWN_MESSAGES_HPP_

#include <cmath>
#include <limits>
#include <mgproto_ros/msg/evidence_maps.hpp>
#include <mgproto_ros/msg/ood_flag.hpp>
#include <mgproto_ros/msg/prediction.hpp>
#include <mgproto_ros/msg/prototype_gallery.hpp>

namespace mgproto::dds::test
{

inline sensor_msgs::msg::RegionOfInterest some_region()
{
  sensor_msgs::msg::RegionOfInterest region;
  region.x_offset = 1;
  region.y_offset = 2;
  region.height = 3;
  region.width = std::numeric_limits<std::uint32_t>::max();
  region.do_rectify = true;
  return region;
}

/// No field has its default value, and no two numbers are equal.
inline mgproto_ros::msg::Prediction some_prediction()
{
  mgproto_ros::msg::Prediction prediction;
  prediction.header.stamp.sec = -7;
  prediction.header.stamp.nanosec = 999999999;
  prediction.header.frame_id = "camera_optical";
  prediction.status = mgproto_ros::msg::Prediction::UNCALIBRATED;
  prediction.reason = "no threshold";
  prediction.class_id = -1;
  prediction.class_name = "Zaunk\xC3\xB6nig";
  prediction.posterior = std::numeric_limits<double>::quiet_NaN();
  prediction.log_likelihood = -std::numeric_limits<double>::infinity();
  prediction.log_density = std::numeric_limits<double>::infinity();
  prediction.threshold = -0.0;
  prediction.typicality = std::numeric_limits<double>::denorm_min();
  prediction.region = some_region();
  prediction.detection_id = "7";
  mgproto_ros::msg::ClassScore score;
  score.class_id = 5;
  score.class_name = "wren";
  score.posterior = 0.1;
  score.log_likelihood = -1e300;
  prediction.scores = {score, score, mgproto_ros::msg::ClassScore()};
  mgproto_ros::msg::PrototypeEvidence evidence;
  evidence.prototype = 11;
  evidence.class_id = 12;
  evidence.prior = 0.25;
  evidence.likelihood = 0.125;
  evidence.log_likelihood = -2.5;
  evidence.contribution = 0.75;
  evidence.x = 100.5;
  evidence.y = 50.25;
  evidence.box = some_region();
  prediction.evidence = {evidence};
  prediction.model_id = "0123456789abcdef";
  return prediction;
}

inline mgproto_ros::msg::EvidenceMaps some_evidence_maps()
{
  mgproto_ros::msg::EvidenceMaps maps;
  maps.header.frame_id = "cam";
  maps.region = some_region();
  mgproto_ros::msg::EvidenceMap map;
  map.prototype = 3;
  map.contribution = 0.5;
  map.rows = 1;
  map.cols = 3;
  map.likelihood = {0.5f, std::numeric_limits<float>::quiet_NaN(), 1e-30f};
  map.width = 640;
  maps.maps = {map, map};
  maps.model_id = "m";
  return maps;
}

inline mgproto_ros::msg::PrototypeGallery some_gallery()
{
  mgproto_ros::msg::PrototypeGallery gallery;
  gallery.model_id = "m";
  mgproto_ros::msg::GalleryPrototype prototype;
  prototype.class_name = "wren";
  prototype.jpeg = {0xFF, 0xD8, 0xFF};
  prototype.source = "birds/wren/1.png";
  gallery.prototypes = {prototype, mgproto_ros::msg::GalleryPrototype()};
  return gallery;
}

inline mgproto_ros::msg::OodFlag some_flag()
{
  mgproto_ros::msg::OodFlag flag;
  flag.unknown = true;
  flag.reason = "below the threshold";
  flag.threshold = std::numeric_limits<double>::quiet_NaN();
  flag.region = some_region();
  return flag;
}

}  // namespace mgproto::dds::test

#endif  // DDS__OWN_MESSAGES_HPP_
