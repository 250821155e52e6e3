// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MGPROTO_ROS__RECOGNITION_HPP_
#define MGPROTO_ROS__RECOGNITION_HPP_

#include <optional>
#include <string>
#include <vector>

namespace mgproto
{

/// Pixels [x, x + width) x [y, y + height) of the original image.
struct Box
{
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;

  bool operator==(const Box & other) const
  {
    return x == other.x && y == other.y && width == other.width && height == other.height;
  }
};

/// The part of the original image that the network saw, in pixels of the original. The whole image,
/// unless the preprocessing crops.
struct SeenRegion
{
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
};

/// What one prototype says about one image.
struct PrototypeEvidence
{
  int prototype = 0;  ///< index over all classes
  int class_id = 0;
  float prior = 0;           ///< pi
  float log_likelihood = 0;  ///< log h, the maximum over all positions
  float contribution = 0;    ///< pi * h / p(x|c), the share of the class's density
  int row = 0;               ///< of the maximum in the feature map
  int col = 0;
  Box box;                 ///< where the prototype fires, in the original image
  std::vector<float> map;  ///< likelihoods [rows * cols], row by row
};

/// Whether the image may be answered at all.
enum class Verdict
{
  known,
  unknown,
  uncalibrated
};

/// Everything the model says about one image.
struct Recognition
{
  std::vector<float> log_likelihood;  ///< log p(x|c), [C]
  std::vector<float> posterior;       ///< p(c|x), [C]
  float log_density = 0;              ///< log p(x)
  int class_id = 0;                   ///< argmax of the posterior, -1 if nothing is finite
  Verdict verdict = Verdict::uncalibrated;
  /// Share of calibration images with a lower log p(x); empty without calibration.
  std::optional<float> typicality;

  int map_rows = 0;
  int map_cols = 0;
  SeenRegion seen;
  /// Of the classes asked for, classes in the order asked, each by falling contribution.
  std::vector<PrototypeEvidence> evidence;
};

}  // namespace mgproto

#endif  // MGPROTO_ROS__RECOGNITION_HPP_
