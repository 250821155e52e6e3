// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "visual/text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <opencv2/imgproc.hpp>

#include "model/number_text.hpp"

namespace mgproto::visual
{
namespace
{

constexpr int kFont = cv::FONT_HERSHEY_SIMPLEX;
constexpr double kCapitalAtScaleOne = 21;  // pixels

/// The font is made of lines of whole pixels. Drawn large and shrunk, its strokes get the width and
/// the smoothness of a printed letter.
constexpr int kOversampling = 4;

double font_scale(const TextStyle & style)
{
  return 0.7 * style.size / kCapitalAtScaleOne * kOversampling;
}

int stroke(const TextStyle & style)
{
  const double share = style.bold ? 0.125 : 0.082;
  return std::max(1, cvRound(share * style.size * kOversampling));
}

std::string printed(const char * format, int digits, double value)
{
  char buffer[64];
  std::snprintf(buffer, sizeof(buffer), format, digits, value);
  return buffer;
}

/// Bytes of the code point that starts at `at`; 1 if it is not valid.
std::size_t code_point_length(const std::string & utf8, std::size_t at)
{
  const auto first = static_cast<unsigned char>(utf8[at]);
  const std::size_t length = first >= 0xf0 && first < 0xf8   ? 4
                             : first >= 0xe0 && first < 0xf0 ? 3
                             : first >= 0xc0 && first < 0xe0 ? 2
                                                             : 1;
  for (std::size_t i = 1; i < length; ++i) {
    if (at + i >= utf8.size() || (static_cast<unsigned char>(utf8[at + i]) & 0xc0) != 0x80) {
      return 1;
    }
  }
  return length;
}

}  // namespace

std::string ascii_safe(const std::string & utf8)
{
  std::string result;
  for (std::size_t at = 0; at < utf8.size(); at += code_point_length(utf8, at)) {
    const bool printable = utf8[at] >= ' ' && utf8[at] <= '~';
    result += printable ? utf8[at] : '?';
  }
  return result;
}

int text_width(const std::string & text, const TextStyle & style)
{
  const cv::Size size =
    cv::getTextSize(ascii_safe(text), kFont, font_scale(style), stroke(style), nullptr);
  return (size.width + kOversampling - 1) / kOversampling;
}

std::string shortened(const std::string & text, int width, const TextStyle & style)
{
  std::string safe = ascii_safe(text);
  if (text_width(safe, style) <= width) {
    return safe;
  }
  std::size_t fits = 0;
  for (std::size_t too_long = safe.size(); too_long - fits > 1;) {
    const std::size_t middle = (fits + too_long) / 2;
    const bool ok = text_width(safe.substr(0, middle) + "...", style) <= width;
    (ok ? fits : too_long) = middle;
  }
  return safe.substr(0, fits) + "...";
}

TextStyle fitting(const std::string & text, int width, TextStyle style, double smallest)
{
  while (style.size > smallest && text_width(text, style) > width) {
    style.size -= 1;
  }
  return style;
}

void draw_text(
  cv::Mat & canvas, const std::string & text, cv::Point baseline, const TextStyle & style)
{
  CV_Assert(canvas.type() == CV_8UC3);
  const int margin = std::max(2, cvRound(0.4 * style.size));  // for strokes and descenders
  const int above = cvCeil(style.size);
  const cv::Rect area(
    baseline.x - margin, baseline.y - above, text_width(text, style) + 2 * margin, above + margin);
  const cv::Rect visible = area & cv::Rect({0, 0}, canvas.size());
  if (visible.empty()) {
    return;
  }

  cv::Mat large(area.size() * kOversampling, CV_8U, cv::Scalar(0));
  cv::putText(
    large, ascii_safe(text), cv::Point(margin, above) * kOversampling, kFont, font_scale(style),
    cv::Scalar(255), stroke(style), cv::LINE_AA);
  cv::Mat coverage;
  cv::resize(large, coverage, area.size(), 0, 0, cv::INTER_AREA);

  for (int y = visible.y; y < visible.br().y; ++y) {
    for (int x = visible.x; x < visible.br().x; ++x) {
      const double share = coverage.at<uchar>(y - area.y, x - area.x) / 255.0;
      auto & pixel = canvas.at<cv::Vec3b>(y, x);
      for (int c = 0; c < 3; ++c) {
        pixel[c] = cv::saturate_cast<uchar>(pixel[c] + share * (style.colour[c] - pixel[c]));
      }
    }
  }
}

std::string number(double value, int digits)
{
  if (!std::isfinite(value)) {
    return "not finite";
  }
  if (value == 0) {
    return "0";
  }
  if (std::abs(value) < 1e-3 || std::abs(value) >= 1e5) {
    std::string result = printed("%.*e", digits - 2, value);
    const std::size_t exponent = result.find('e') + 2;
    result.erase(
      exponent, std::min(result.find_first_not_of('0', exponent), result.size()) - exponent);
    return result;
  }
  if (std::abs(value) >= 99.95) {
    return fixed(value, digits - 3);
  }
  return printed("%#.*g", digits, value);
}

std::pair<std::string, std::string> numbers_told_apart(double first, double second)
{
  return told_apart(first, second, 3, number);
}

std::string number_from_log(double log_value)
{
  constexpr double kLargestExponent = 700;
  if (std::isfinite(log_value) && std::abs(log_value) > kLargestExponent) {
    return "exp(" + general(log_value, 4) + ")";
  }
  return number(std::exp(log_value));
}

std::string percent(double share)
{
  if (!std::isfinite(share)) {
    return "not finite";
  }
  if (share > 0 && share < 0.005) {
    return "<1 %";
  }
  if (share > 0.995 && share < 1) {
    return ">99 %";
  }
  return mgproto::percent(share, 0);
}

}  // namespace mgproto::visual
