// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef VISUAL__SCATTER_PICTURE_HPP_
#define VISUAL__SCATTER_PICTURE_HPP_

#include <cstddef>
#include <opencv2/core.hpp>
#include <string>
#include <vector>

namespace mgproto::visual
{

struct ScatterPoint
{
  double x = 0;
  double y = 0;           ///< upwards
  std::size_t group = 0;  ///< points of one group have one colour
};

struct ScatterMark
{
  ScatterPoint at;
  std::string label;
};

struct Scatter
{
  std::string title;
  std::string caption;
  std::vector<ScatterPoint> points;
  std::vector<ScatterMark> marks;  ///< larger, above the points, the first one on top
};

/// Where the plot lies in the picture: it is square, since only distances mean something.
inline const cv::Rect kScatterPlot{28, 92, 844, 844};

/// A map of points in a plane, 8-bit BGR. Both axes have one scale, which shows all of them. What
/// is not finite is left out.
cv::Mat scatter_picture(const Scatter & scatter);

}  // namespace mgproto::visual

#endif  // VISUAL__SCATTER_PICTURE_HPP_
