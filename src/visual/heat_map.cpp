// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "visual/heat_map.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <opencv2/imgproc.hpp>

namespace mgproto::visual
{

cv::Mat enlarged_map(const std::vector<float> & map, int rows, int cols, cv::Size size)
{
  const bool fits = rows > 0 && cols > 0 && !size.empty() &&
                    map.size() == static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols);
  if (!fits) {
    return {};
  }
  cv::Mat small(rows, cols, CV_32F);
  std::transform(map.begin(), map.end(), small.ptr<float>(), [](float value) {
    return std::isfinite(value) ? std::clamp(value, 0.0f, 1.0f) : 0.0f;
  });
  cv::Mat large;
  cv::resize(small, large, size, 0, 0, cv::INTER_CUBIC);
  // The bicubic curve overshoots.
  cv::min(cv::max(large, 0.0), 1.0, large);
  return large;
}

cv::Mat heat_colours(const cv::Mat & likelihood)
{
  cv::Mat levels;
  likelihood.convertTo(levels, CV_8U, 255.0);
  cv::Mat colours;
  cv::applyColorMap(levels, colours, cv::COLORMAP_INFERNO);
  return colours;
}

void blend_heat(cv::Mat image, const cv::Mat & likelihood, double opacity)
{
  if (likelihood.empty()) {
    return;
  }
  const cv::Mat colours = heat_colours(likelihood);
  for (int y = 0; y < image.rows; ++y) {
    const float * value = likelihood.ptr<float>(y);
    const cv::Vec3b * tint = colours.ptr<cv::Vec3b>(y);
    cv::Vec3b * pixel = image.ptr<cv::Vec3b>(y);
    for (int x = 0; x < image.cols; ++x) {
      const double share = opacity * value[x];
      for (int c = 0; c < 3; ++c) {
        pixel[x][c] = cv::saturate_cast<uchar>(pixel[x][c] + share * (tint[x][c] - pixel[x][c]));
      }
    }
  }
}

void blend_heat_map(
  cv::Mat & image, const std::vector<float> & map, int rows, int cols, const SeenRegion & seen,
  double opacity)
{
  CV_Assert(image.type() == CV_8UC3);
  const cv::Rect area = pixels(seen, image.size());
  blend_heat(image(area), enlarged_map(map, rows, cols, area.size()), opacity);
}

void darken_unseen(cv::Mat & image, const SeenRegion & seen)
{
  const cv::Rect area = pixels(seen, image.size());
  if (!area.empty()) {
    cv::Mat darker = image * 0.35;
    image(area).copyTo(darker(area));
    darker.copyTo(image);
  }
}

SeenRegion scaled(const SeenRegion & seen, double horizontally, double vertically)
{
  return {
    seen.x * horizontally, seen.y * vertically, seen.width * horizontally,
    seen.height * vertically};
}

cv::Rect pixels(const SeenRegion & seen, cv::Size size)
{
  // Clamped before rounding: a double may be far outside what an int can hold.
  const auto pixel = [](double position, int length) {
    return static_cast<int>(std::lround(std::clamp(position, 0.0, static_cast<double>(length))));
  };
  const bool finite = std::isfinite(seen.x) && std::isfinite(seen.y) && std::isfinite(seen.width) &&
                      std::isfinite(seen.height);
  if (!finite) {
    return {};
  }
  const cv::Point from(pixel(seen.x, size.width), pixel(seen.y, size.height));
  const cv::Point to(
    pixel(seen.x + seen.width, size.width), pixel(seen.y + seen.height, size.height));
  return to.x > from.x && to.y > from.y ? cv::Rect(from, to) : cv::Rect();
}

}  // namespace mgproto::visual
