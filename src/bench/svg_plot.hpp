// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef BENCH__SVG_PLOT_HPP_
#define BENCH__SVG_PLOT_HPP_

#include <string>
#include <vector>

namespace mgproto::bench
{

struct Curve
{
  std::string name;
  std::vector<double> y;
};

struct Panel
{
  std::string title;
  std::vector<Curve> curves;
};

/// Panels side by side over the same x, as the text of an SVG file. Both axes are logarithmic: what
/// grows in proportion rises by one decade a decade. Values must be positive; texts must be free of
/// < and &.
std::string svg_plot(
  const std::string & x_label, const std::vector<double> & x, const std::vector<Panel> & panels);

}  // namespace mgproto::bench

#endif  // BENCH__SVG_PLOT_HPP_
