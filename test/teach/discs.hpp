// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TEACH__DISCS_HPP_
#define TEACH__DISCS_HPP_

#include <cstdint>
#include <opencv2/imgproc.hpp>
#include <string>
#include <vector>

#include "model/random.hpp"
#include "teach/teach_images.hpp"

namespace mgproto::test
{

inline constexpr int kDiscSize = 48;
inline const cv::Scalar kColours[] = {{200, 40, 40}, {40, 200, 40}, {40, 40, 200}};
inline const cv::Scalar kYellow(40, 200, 200);
inline const cv::Scalar kViolet(200, 40, 160);

/// A disc of one colour on grey, with noise, at a place of its own.
inline cv::Mat disc(const cv::Scalar & colour, std::uint64_t index)
{
  Random random{
    index, static_cast<std::uint64_t>(colour[0]), static_cast<std::uint64_t>(colour[1])};
  cv::Mat image(kDiscSize, kDiscSize, CV_8UC3, cv::Scalar(120, 120, 120));
  const int x = 20 + random.index(8);
  const int y = 20 + random.index(8);
  cv::circle(image, {x, y}, 14 + random.index(5), colour, cv::FILLED);
  for (auto pixel = image.begin<cv::Vec3b>(); pixel != image.end<cv::Vec3b>(); ++pixel) {
    for (int c = 0; c < 3; ++c) {
      (*pixel)[c] = cv::saturate_cast<std::uint8_t>((*pixel)[c] + 6 * random.normal());
    }
  }
  return image;
}

inline std::vector<LessonImage> discs(
  const cv::Scalar & colour, int count, std::uint64_t first = 1000)
{
  std::vector<LessonImage> images;
  for (int i = 0; i < count; ++i) {
    images.push_back({"disc" + std::to_string(first + i), disc(colour, first + i)});
  }
  return images;
}

}  // namespace mgproto::test

#endif  // TEACH__DISCS_HPP_
