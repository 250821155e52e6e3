// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/detections_input.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "messages/header.hpp"

namespace mgproto::messages
{
namespace
{

constexpr std::size_t kMaxRegions = 1000;
/// Far outside of any image, and far inside of an int.
constexpr double kFarthest = 1 << 20;
/// Sine and cosine of a right angle are not exactly 0, which must not cost a pixel.
constexpr double kTolerance = 1e-6;

/// From floor(middle - half) to ceil(middle + half), at least one pixel.
void cover(double middle, double half, int & begin, int & length)
{
  const double first = std::floor(std::clamp(middle - half, -kFarthest, kFarthest) + kTolerance);
  const double end = std::ceil(std::clamp(middle + half, -kFarthest, kFarthest) - kTolerance);
  begin = static_cast<int>(first);
  length = std::max(static_cast<int>(end - first), 1);
}

std::optional<Box> hull(const vision_msgs::msg::BoundingBox2D & bbox)
{
  const double x = bbox.center.position.x;
  const double y = bbox.center.position.y;
  const double cosine = std::abs(std::cos(bbox.center.theta));
  const double sine = std::abs(std::sin(bbox.center.theta));
  const bool finite = std::isfinite(x) && std::isfinite(y) && std::isfinite(cosine) &&
                      std::isfinite(bbox.size_x) && std::isfinite(bbox.size_y);
  if (!finite || bbox.size_x <= 0 || bbox.size_y <= 0) {
    return {};
  }
  // Halved first: the sum of two numbers near the largest double is still finite.
  const double half_width = cosine * (bbox.size_x / 2) + sine * (bbox.size_y / 2);
  const double half_height = sine * (bbox.size_x / 2) + cosine * (bbox.size_y / 2);
  Box box;
  cover(x, half_width, box.x, box.width);
  cover(y, half_height, box.y, box.height);
  return box;
}

/// The one that the detector is surest of; none of no number.
void set_hypothesis(const vision_msgs::msg::Detection2D & detection, perception::Region & region)
{
  for (const auto & result : detection.results) {
    const auto & hypothesis = result.hypothesis;
    if (std::isfinite(hypothesis.score) && !(hypothesis.score <= region.detection_score)) {
      region.detection_class = hypothesis.class_id;
      region.detection_score = hypothesis.score;
    }
  }
}

}  // namespace

std::vector<perception::Region> read_detections(const vision_msgs::msg::Detection2DArray & message)
{
  std::vector<perception::Region> regions;
  std::size_t usable = 0;
  for (const auto & detection : message.detections) {
    perception::Region & region = regions.emplace_back();
    region.detection_id = detection.id;
    set_hypothesis(detection, region);
    const auto box = hull(detection.bbox);
    if (!box) {
      region.problem = "the detection's box has no size, or numbers that are not finite";
    } else if (++usable > kMaxRegions) {
      region.problem = "more than " + std::to_string(kMaxRegions) + " detections in one image";
    } else {
      region.box = *box;
    }
  }
  return regions;
}

void add_detections(
  perception::Perception & perception, int camera,
  const vision_msgs::msg::Detection2DArray & message)
{
  perception.add_detections(camera, read_header(message.header), read_detections(message));
}

}  // namespace mgproto::messages
