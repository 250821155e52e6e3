// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "bench/svg_plot.hpp"

#include <algorithm>
#include <cmath>
#include <locale>
#include <sstream>

namespace mgproto::bench
{
namespace
{

// Pixels.
constexpr double kPanelWidth = 380, kHeight = 300;
constexpr double kLeft = 60, kRight = 15, kTop = 30, kBottom = 70;
constexpr double kLegendStep = 150;
constexpr const char * kColours[] = {"#1f6fb2", "#d1660d", "#3a8f3a"};

/// From a value to its place between two pixels.
class LogAxis
{
public:
  LogAxis(double low, double high, double from, double to)
  : low_(std::log10(low)), range_(std::log10(high) - low_), from_(from), to_(to)
  {
  }
  double operator()(double value) const
  {
    const double share = range_ > 0 ? (std::log10(value) - low_) / range_ : 0.5;
    return from_ + share * (to_ - from_);
  }

private:
  double low_, range_, from_, to_;
};

/// 1, 2 and 5 of each decade, within and just around the values.
std::vector<double> ticks_around(double low, double high)
{
  std::vector<double> ticks;
  const int first = static_cast<int>(std::floor(std::log10(low)));
  const int last = static_cast<int>(std::floor(std::log10(high)));
  for (int decade = first; decade <= last + 1; ++decade) {
    for (const double step : {1.0, 2.0, 5.0}) {
      const double tick = step * std::pow(10.0, decade);
      if (tick <= low) {
        ticks.clear();  // the last one at or below is enough
      }
      ticks.push_back(tick);
      if (tick >= high) {
        return ticks;
      }
    }
  }
  return ticks;
}

void text_at(std::ostream & svg, double x, double y, const char * anchor, const std::string & text)
{
  svg << "<text x=\"" << x << "\" y=\"" << y << "\" text-anchor=\"" << anchor << "\">" << text
      << "</text>\n";
}

std::string plain(double value)
{
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text << value;
  return text.str();
}

void line(std::ostream & svg, double x1, double y1, double x2, double y2)
{
  svg << "<line x1=\"" << x1 << "\" y1=\"" << y1 << "\" x2=\"" << x2 << "\" y2=\"" << y2
      << "\" stroke=\"#ccc\"/>\n";
}

void draw_panel(
  std::ostream & svg, double left, const std::string & x_label, const std::vector<double> & x,
  const Panel & panel)
{
  double low = panel.curves.front().y.front(), high = low;
  for (const Curve & curve : panel.curves) {
    const auto [least, most] = std::minmax_element(curve.y.begin(), curve.y.end());
    low = std::min(low, *least);
    high = std::max(high, *most);
  }
  const std::vector<double> ticks = ticks_around(low, high);
  const double bottom = kHeight - kBottom, right = left + kPanelWidth - kRight;
  const LogAxis place_x(x.front(), x.back(), left + kLeft, right);
  const LogAxis place_y(ticks.front(), ticks.back(), bottom, kTop);

  text_at(svg, (left + kLeft + right) / 2, kTop - 12, "middle", panel.title);
  for (const double tick : ticks) {
    line(svg, left + kLeft, place_y(tick), right, place_y(tick));
    text_at(svg, left + kLeft - 6, place_y(tick) + 4, "end", plain(tick));
  }
  for (const double value : x) {
    line(svg, place_x(value), bottom, place_x(value), bottom + 4);
    text_at(svg, place_x(value), bottom + 18, "middle", plain(value));
  }
  text_at(svg, (left + kLeft + right) / 2, bottom + 36, "middle", x_label);
  for (std::size_t i = 0; i < panel.curves.size(); ++i) {
    const Curve & curve = panel.curves[i];
    const char * colour = kColours[i % std::size(kColours)];
    svg << "<polyline fill=\"none\" stroke=\"" << colour << "\" stroke-width=\"2\" points=\"";
    for (std::size_t k = 0; k < x.size(); ++k) {
      svg << place_x(x[k]) << "," << place_y(curve.y[k]) << " ";
    }
    svg << "\"/>\n";
    for (std::size_t k = 0; k < x.size(); ++k) {
      svg << "<circle cx=\"" << place_x(x[k]) << "\" cy=\"" << place_y(curve.y[k])
          << "\" r=\"3\" fill=\"" << colour << "\"/>\n";
    }
    const double legend = left + kLeft + static_cast<double>(i) * kLegendStep;
    svg << "<rect x=\"" << legend << "\" y=\"" << kHeight - 20
        << "\" width=\"10\" height=\"10\" fill=\"" << colour << "\"/>\n";
    text_at(svg, legend + 15, kHeight - 11, "start", curve.name);
  }
}

}  // namespace

std::string svg_plot(
  const std::string & x_label, const std::vector<double> & x, const std::vector<Panel> & panels)
{
  std::ostringstream svg;
  svg.imbue(std::locale::classic());
  const double width = kPanelWidth * static_cast<double>(panels.size());
  svg << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << width << "\" height=\"" << kHeight
      << "\" font-family=\"sans-serif\" font-size=\"12\">\n"
      << "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
  for (std::size_t i = 0; i < panels.size(); ++i) {
    draw_panel(svg, static_cast<double>(i) * kPanelWidth, x_label, x, panels[i]);
  }
  svg << "</svg>\n";
  return svg.str();
}

}  // namespace mgproto::bench
