// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef PERCEPTION__TOPICS_HPP_
#define PERCEPTION__TOPICS_HPP_

#include <string>

namespace mgproto::perception
{

/// Names of the topics that every host has, one set for each camera. They are private to the node
/// and meant to be remapped.
namespace topics
{

inline constexpr const char * kImage = "input/image";
inline constexpr const char * kDetectionsIn = "input/detections";
inline constexpr const char * kDepth = "input/depth";
inline constexpr const char * kCameraInfo = "input/camera_info";
inline constexpr const char * kPrediction = "output/prediction";
inline constexpr const char * kOod = "output/ood";
inline constexpr const char * kEvidence = "output/evidence";
inline constexpr const char * kClassification = "output/classification";
inline constexpr const char * kDetectionsOut = "output/detections";
inline constexpr const char * kDetections3d = "output/detections_3d";
inline constexpr const char * kMarkers = "output/markers";
inline constexpr const char * kOverlay = "debug/overlay";

// One for the whole node: the cameras share the model.
inline constexpr const char * kPrototypes = "~/output/prototypes";
inline constexpr const char * kVisionInfo = "~/output/vision_info";
inline constexpr const char * kLabelInfo = "~/output/label_info";
inline constexpr const char * kAlbum = "~/output/album";
inline constexpr const char * kTeach = "~/input/teach";
inline constexpr const char * kTaught = "~/output/taught";
inline constexpr const char * kDiagnostics = "/diagnostics";

// Of the trust gate.
inline constexpr const char * kTrusted = "~/output/trusted";
inline constexpr const char * kSpeedLimit = "~/output/speed_limit";

/// What image_transport puts behind the name of an image's topic for its compressed form.
inline constexpr const char * kCompressed = "/compressed";

}  // namespace topics

/// ~/output/ood, or ~/front/output/ood if the camera has a name.
inline std::string camera_topic(const std::string & camera, const std::string & topic)
{
  return camera.empty() ? "~/" + topic : "~/" + camera + "/" + topic;
}

}  // namespace mgproto::perception

#endif  // PERCEPTION__TOPICS_HPP_
