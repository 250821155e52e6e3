// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <limits>
#include <opencv2/core.hpp>
#include <string>

#include "not_finite.hpp"
#include "visual/palette.hpp"
#include "visual/text.hpp"

namespace mgproto::visual
{
namespace
{

TEST(Text, replaces_each_code_point_without_a_glyph_by_one_question_mark)
{
  EXPECT_EQ(ascii_safe("Cardinal"), "Cardinal");
  EXPECT_EQ(ascii_safe("K\xc3\xb6nig \xe9\xb3\xa5 \xf0\x9f\x90\xa6"), "K?nig ? ?");
  EXPECT_EQ(ascii_safe("a\nb\x7f"), "a?b?");
  EXPECT_EQ(ascii_safe("\xff\xc3"), "??");
}

TEST(Text, is_shortened_only_if_it_does_not_fit)
{
  const TextStyle style;
  EXPECT_EQ(shortened("Cardinal", 500, style), "Cardinal");
  const std::string cut = shortened(std::string(10000, 'w'), 120, style);
  EXPECT_LE(text_width(cut, style), 120);
  EXPECT_GT(text_width(cut, style), 100);
  EXPECT_EQ(cut.substr(cut.size() - 3), "...");
}

TEST(Text, is_made_smaller_only_as_far_as_needed_and_allowed)
{
  const TextStyle style;
  EXPECT_EQ(fitting("h", 100, style, 12).size, style.size);
  const std::string text = "pi 0.180 x h 1.2e-5";
  const int width = text_width(text, {13});
  EXPECT_EQ(fitting(text, width, style, 12).size, 13);
  EXPECT_EQ(fitting(text, 1, style, 12).size, 12);
}

TEST(Text, outside_the_canvas_is_cut_off)
{
  cv::Mat canvas(20, 20, CV_8UC3, kPaper);
  EXPECT_NO_THROW(draw_text(canvas, "Cardinal", {-30, 5}));
  EXPECT_NO_THROW(draw_text(canvas, "Cardinal", {10, 30}));
  EXPECT_NO_THROW(draw_text(canvas, "Cardinal", {1000, -1000}));
  EXPECT_NO_THROW(draw_text(canvas, "", {0, 10}));
}

TEST(Text, writes_numbers_that_are_compared_so_that_they_differ)
{
  using Texts = std::pair<std::string, std::string>;
  EXPECT_EQ(numbers_told_apart(-5.123, -9.4), Texts("-5.12", "-9.40"));
  EXPECT_EQ(numbers_told_apart(-2.8104, -2.81), Texts("-2.8104", "-2.8100"));
  EXPECT_EQ(numbers_told_apart(-208.61, -208.64), Texts("-208.61", "-208.64"));
  EXPECT_EQ(numbers_told_apart(1.01e-5, 1.02e-5), Texts("1.01e-5", "1.02e-5"));
  EXPECT_EQ(numbers_told_apart(123456, 123457), Texts("1.23456e+5", "1.23457e+5"));
  EXPECT_EQ(numbers_told_apart(kNaN, 1), Texts("not finite", "1.00"));
}

TEST(Text, writes_numbers_as_short_as_they_can_be_read)
{
  EXPECT_EQ(number(0.12), "0.120");
  EXPECT_EQ(number(0.0123), "0.0123");
  EXPECT_EQ(number(-812.4), "-812");
  EXPECT_EQ(number(3.14e-5), "3.1e-5");
  EXPECT_EQ(number(-2e-120), "-2.0e-120");
  EXPECT_EQ(number(1e10), "1.0e+10");
  EXPECT_EQ(number(0), "0");
  EXPECT_EQ(number(kNaN), "not finite");
  EXPECT_EQ(number(-812.4, 4), "-812.4");
  EXPECT_EQ(number(-2.81, 4), "-2.810");
  EXPECT_EQ(number(3.1415e-5, 4), "3.14e-5");
  EXPECT_EQ(number_from_log(0), "1.00");
  EXPECT_EQ(number_from_log(-812), "exp(-812)");
  EXPECT_EQ(number_from_log(-kInfinity), "0");
  EXPECT_EQ(number_from_log(kNaN), "not finite");
  EXPECT_EQ(percent(0.384), "38 %");
  EXPECT_EQ(percent(0.001), "<1 %");
  EXPECT_EQ(percent(0.9999), ">99 %");
  EXPECT_EQ(percent(1), "100 %");
  EXPECT_EQ(percent(kInfinity), "not finite");
}

}  // namespace
}  // namespace mgproto::visual
