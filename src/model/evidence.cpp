// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/evidence.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <opencv2/imgproc.hpp>

#include "model/quantile.hpp"

namespace mgproto
{
namespace
{

constexpr double kShare = 0.95;
constexpr int kApart = 2;  // cells between the maxima of two places, by row or by column
constexpr double kFoundCosine = 0.5;
constexpr double kPi = 3.14159265358979323846;

bool at_one_place(const PrototypeEvidence & a, const PrototypeEvidence & b)
{
  return std::max(std::abs(a.row - b.row), std::abs(a.col - b.col)) < kApart;
}

}  // namespace

Box activation_box(
  const std::vector<float> & map, int rows, int cols, const InputGeometry & geometry)
{
  cv::Mat small = cv::Mat(rows, cols, CV_32F, const_cast<float *>(map.data())).clone();
  cv::patchNaNs(small, 0);  // quantile() needs numbers that can be ordered
  cv::Mat large;
  cv::resize(small, large, {geometry.size, geometry.size}, 0, 0, cv::INTER_CUBIC);
  const auto * values = large.ptr<float>();
  const float threshold = quantile(std::vector<float>(values, values + large.total()), kShare);
  const cv::Rect box = cv::boundingRect(large >= threshold);
  return geometry.to_original(box.x, box.y, box.x + box.width, box.y + box.height);
}

bool contributes_more(const PrototypeEvidence & a, const PrototypeEvidence & b)
{
  return a.contribution > b.contribution ||
         (std::isnan(b.contribution) && !std::isnan(a.contribution));
}

bool is_found(const PrototypeEvidence & prototype, double kappa)
{
  // log h = -pi kappa |f - p|^2 = 2 pi kappa (cos - 1) of unit vectors
  return 1 + prototype.log_likelihood / (2 * kPi * kappa) >= kFoundCosine;
}

std::vector<PrototypeEvidence> merge_places(const std::vector<PrototypeEvidence> & prototypes)
{
  std::vector<PrototypeEvidence> places;
  for (const PrototypeEvidence & prototype : prototypes) {
    const auto place = std::find_if(
      places.begin(), places.end(),
      [&](const PrototypeEvidence & chosen) { return at_one_place(chosen, prototype); });
    if (place == places.end()) {
      places.push_back(prototype);
    } else {
      place->contribution += prototype.contribution;
      place->merged.push_back(prototype.prototype);
    }
  }
  std::stable_sort(places.begin(), places.end(), contributes_more);
  return places;
}

}  // namespace mgproto
