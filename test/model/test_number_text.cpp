// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <limits>

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

TEST(NumberText, SaysWhatIsNotFinite)
{
  EXPECT_EQ(fixed(std::numeric_limits<double>::quiet_NaN(), 2), "nan");
  EXPECT_EQ(general(-std::numeric_limits<double>::infinity(), 4), "-inf");
}

}  // namespace
}  // namespace mgproto
