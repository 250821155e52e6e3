// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// When a prediction is flagged as unknown, and the words for it.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>

#include "model/decision.hpp"
#include "perception/ood_flag.hpp"

namespace mgproto::perception
{
namespace
{

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

Calibration calibration()
{
  return {0.75, {-9.8, -6, -4, -3}};  // the threshold is the first: 1 = (4 + 1) (1 - 0.75)
}

RegionPrediction flagged(float log_density, const std::optional<Calibration> & with = calibration())
{
  RegionPrediction region;
  region.prediction.log_density = log_density;
  region.prediction.posterior = {0.25f, 0.75f};
  decide(region.prediction, with);
  set_flag(region, Manifest());
  return region;
}

TEST(Flag, IsDownForAKnownImage)
{
  const RegionPrediction known = flagged(-5);
  EXPECT_EQ(known.reason, "");
  EXPECT_FALSE(known.unknown);
  EXPECT_EQ(known.unknown_reason, "");
}

TEST(Flag, SaysWhyItIsUp)
{
  const RegionPrediction low = flagged(-12.3f);
  EXPECT_EQ(low.reason, "log p(x) -12.3 is below the threshold -9.8");
  EXPECT_TRUE(low.unknown);
  EXPECT_EQ(low.unknown_reason, low.reason);

  EXPECT_EQ(flagged(-9.80001f).reason, "log p(x) -9.80001 is below the threshold -9.8");
}

TEST(Flag, IsUpForADensityThatIsNotFinite)
{
  for (const float value : {kNan, std::numeric_limits<float>::infinity()}) {
    const RegionPrediction region = flagged(value);
    EXPECT_EQ(region.reason, "the density is not finite");
    EXPECT_TRUE(region.unknown);
  }
}

TEST(Flag, IsUpForAModelWithoutCalibration)
{
  const RegionPrediction region = flagged(-1, std::nullopt);
  EXPECT_EQ(region.reason, "the model is not calibrated for this");
  EXPECT_TRUE(region.unknown);
}

class HysteresisTest : public ::testing::Test
{
protected:
  /// An image that is taken, and arrives, a second after the one before.
  RegionPrediction apply(float log_density)
  {
    ++taken.stamp.sec;
    taken.received += std::chrono::seconds(1);
    RegionPrediction region = flagged(log_density);
    hysteresis.apply(region, taken, settings);
    return region;
  }
  bool unknown_after(float log_density) { return apply(log_density).unknown; }

  static constexpr float kKnown = -5, kUnknown = -50;
  HysteresisTest()
  {
    enter = 2;
    leave = 3;
  }
  Settings settings;
  int & enter = settings.ood_enter;
  int & leave = settings.ood_leave;
  PictureTime taken{{100, 0}, Clock::time_point()};
  Hysteresis hysteresis;
};

TEST_F(HysteresisTest, StartsUnknownAndTakesKnownFramesInARowToLeave)
{
  EXPECT_TRUE(unknown_after(kKnown));
  EXPECT_TRUE(unknown_after(kKnown));
  EXPECT_TRUE(unknown_after(kUnknown));  // starts over
  EXPECT_TRUE(unknown_after(kKnown));
  EXPECT_TRUE(unknown_after(kKnown));
  EXPECT_FALSE(unknown_after(kKnown));
}

TEST_F(HysteresisTest, TakesUnknownFramesInARowToEnter)
{
  leave = 1;
  EXPECT_FALSE(unknown_after(kKnown));
  EXPECT_FALSE(unknown_after(kUnknown));
  EXPECT_FALSE(unknown_after(kKnown));  // starts over
  EXPECT_FALSE(unknown_after(kUnknown));
  EXPECT_TRUE(unknown_after(kUnknown));
}

TEST_F(HysteresisTest, GivesTheReasonForTheFlagNotForTheFrame)
{
  const RegionPrediction first = apply(kKnown);
  EXPECT_EQ(first.prediction.verdict, Verdict::known);
  EXPECT_EQ(first.reason, "");
  EXPECT_EQ(first.unknown_reason, "only 1 of 3 known images in a row so far");
  apply(kKnown);
  apply(kKnown);

  const RegionPrediction glitch = apply(kUnknown);
  EXPECT_EQ(glitch.prediction.verdict, Verdict::unknown);
  EXPECT_NE(glitch.reason, "");
  EXPECT_FALSE(glitch.unknown);
  EXPECT_EQ(glitch.unknown_reason, "");

  const RegionPrediction second = apply(kUnknown);
  EXPECT_TRUE(second.unknown);
  EXPECT_EQ(second.unknown_reason, "log p(x) -50 is below the threshold -9.8");
}

TEST_F(HysteresisTest, ADensityThatIsNotFiniteIsUnknownAtOnce)
{
  leave = 1;
  EXPECT_FALSE(unknown_after(kKnown));
  enter = 100;
  EXPECT_EQ(apply(kNan).unknown_reason, "the density is not finite");
  leave = 2;
  EXPECT_TRUE(unknown_after(kKnown));
  EXPECT_FALSE(unknown_after(kKnown));
}

TEST_F(HysteresisTest, TakesSecondsAsWellAsFrames)
{
  enter = leave = 2;
  settings.ood_leave_seconds = 2.5;
  settings.ood_enter_seconds = 1.5;
  EXPECT_TRUE(unknown_after(kKnown));
  EXPECT_TRUE(unknown_after(kKnown));
  EXPECT_EQ(apply(kKnown).unknown_reason, "known for only 2.0 of 2.5 s so far");
  EXPECT_FALSE(unknown_after(kKnown));
  EXPECT_FALSE(unknown_after(kUnknown));
  EXPECT_FALSE(unknown_after(kKnown));  // starts over
  EXPECT_FALSE(unknown_after(kUnknown));
  EXPECT_FALSE(unknown_after(kUnknown));
  EXPECT_TRUE(unknown_after(kUnknown));
}

TEST_F(HysteresisTest, SecondsAreThoseOfTheStampsAndOfArrivalWhereTheseSayNothing)
{
  const auto moment = [](int stamp, int arrival) {
    return PictureTime{{stamp, 0}, Clock::time_point(std::chrono::seconds(arrival))};
  };
  EXPECT_EQ(seconds_between(moment(10, 3), moment(40, 4)), 30) << "a recording played fast";
  EXPECT_EQ(seconds_between(moment(40, 3), moment(10, 4)), 1) << "and once more";
  EXPECT_EQ(seconds_between(moment(0, 3), moment(0, 4)), 1) << "a camera without a clock";
  EXPECT_EQ(seconds_between(moment(-40, 3), moment(-10, 4)), 30);
}

TEST_F(HysteresisTest, WithOneFrameEachItFollowsTheFrames)
{
  enter = leave = 1;
  for (const float value : {kKnown, kUnknown, kUnknown, kKnown, kNan, kKnown}) {
    EXPECT_EQ(unknown_after(value), !(value == kKnown));
  }
}

}  // namespace
}  // namespace mgproto::perception
