// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "model/number_text.hpp"

namespace mgproto
{
namespace
{

TEST(NumberText, HasTheDigitsAskedFor)
{
  EXPECT_EQ(fixed(1.0 / 3, 3), "0.333");
  EXPECT_EQ(fixed(-2.5, 0), "-2");  // to even, as printf
  EXPECT_EQ(fixed(1e300, 0).size(), 301u);
  EXPECT_EQ(general(-9.80001, 4), "-9.8");
  EXPECT_EQ(general(-9.80001, 6), "-9.80001");
  EXPECT_EQ(general(1e-7, 3), "1e-07");
  EXPECT_EQ(percent(0.1234), "12.3 %");
  EXPECT_EQ(percent(0.1234, 0), "12 %");
}

TEST(NumberText, NumbersThatDifferReadDifferently)
{
  using Texts = std::pair<std::string, std::string>;
  EXPECT_EQ(told_apart(-3.5, -2.81, 3, general), Texts("-3.5", "-2.81"));
  EXPECT_EQ(told_apart(-2.8104, -2.81, 3, general), Texts("-2.8104", "-2.81"));
  EXPECT_EQ(told_apart(0.80000001, 0.8, 2, fixed), Texts("0.80000001", "0.80000000"));
  EXPECT_EQ(told_apart(2.5, 2.5, 3, general), Texts("2.5", "2.5"))
    << "no digits for the same number";
  const auto [first, second] = told_apart(1, std::nextafter(1, 2), 3, general);
  EXPECT_NE(first, second);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(told_apart(nan, 1, 3, general), Texts("nan", "1"));
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(told_apart(infinity, infinity, 3, general), Texts("inf", "inf"));
}

TEST(NumberText, SaysWhatIsNotFinite)
{
  EXPECT_EQ(fixed(std::numeric_limits<double>::quiet_NaN(), 2), "nan");
  EXPECT_EQ(general(-std::numeric_limits<double>::infinity(), 4), "-inf");
}

}  // namespace
}  // namespace mgproto
