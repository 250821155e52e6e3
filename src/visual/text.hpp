// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef VISUAL__TEXT_HPP_
#define VISUAL__TEXT_HPP_

#include <opencv2/core.hpp>
#include <string>
#include <utility>

#include "visual/palette.hpp"

namespace mgproto::visual
{

struct TextStyle
{
  double size = 15;  ///< pixels; a capital letter is 0.7 of it
  cv::Scalar colour = kInk;
  bool bold = false;
};
inline const TextStyle kSmall{13, kFaintInk};

/// The text with one '?' for every code point that the font lacks: all but printable ASCII, and
/// every byte that is not UTF-8.
std::string ascii_safe(const std::string & utf8);

/// Pixels that draw_text needs from left to right.
int text_width(const std::string & text, const TextStyle & style);

/// The text itself if it fits into `width` pixels, or its beginning and "...".
std::string shortened(const std::string & text, int width, const TextStyle & style);

/// The style, made smaller (down to `smallest` or just below) until the text fits into `width`.
TextStyle fitting(const std::string & text, int width, TextStyle style, double smallest);

/// Draws on an 8-bit BGR canvas; `baseline` is the left end of the line the letters stand on.
/// Whatever lies outside the canvas is cut off. Any text is made ascii_safe.
void draw_text(
  cv::Mat & canvas, const std::string & text, cv::Point baseline, const TextStyle & style = {});

/// Three significant digits (or more), as short as they can be read: "0.120", "12.3", "3.1e-5";
/// "not finite" for NaN and infinities.
std::string number(double value, int digits = 3);

/// The same of two numbers that are compared, with as many digits as it takes to see that they
/// differ.
std::pair<std::string, std::string> numbers_told_apart(double first, double second);

/// exp(log_value) as a number; as "exp(-812)" where a double has no room for it.
std::string number_from_log(double log_value);

/// "38 %", "<1 %", ">99 %" or "not finite".
std::string percent(double share);

}  // namespace mgproto::visual

#endif  // VISUAL__TEXT_HPP_
