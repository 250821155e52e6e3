// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// When an answer is flagged as unknown, and the words for it.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "perception/ood_decision.hpp"

namespace mgproto::perception
{
namespace
{

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

Calibration calibration()
{
  Calibration result;
  result.threshold = -9.8;
  result.tpr = 0.95;
  result.quantiles = {-20, -10, -6, -4, -3};  // at 0, 25, 50, 75 and 100 %
  result.count = 100;
  return result;
}

RegionAnswer answer_with(float log_density)
{
  RegionAnswer answer;
  answer.recognition.log_density = log_density;
  answer.recognition.class_id = std::isfinite(log_density) ? 2 : -1;
  answer.recognition.typicality = 0.5f;
  return answer;
}

RegionAnswer decided(
  float log_density, double tpr = 0, std::optional<Calibration> with = calibration())
{
  RegionAnswer answer = answer_with(log_density);
  decide(answer, with, tpr);
  return answer;
}

TEST(Threshold, IsTheCheckpointsOwnUnlessAShareIsAskedFor)
{
  EXPECT_DOUBLE_EQ(threshold_for(calibration(), 0), -9.8);
  EXPECT_DOUBLE_EQ(threshold_for(calibration(), 0.75), -10);
  EXPECT_DOUBLE_EQ(threshold_for(calibration(), 0.5), -6);
  EXPECT_DOUBLE_EQ(threshold_for(calibration(), 0.875), -15);
  EXPECT_DOUBLE_EQ(threshold_for(calibration(), 1), -20);
  EXPECT_NEAR(threshold_for(calibration(), 1e-9), -3, 1e-6);
}

TEST(Decision, IsKnownFromTheThresholdOn)
{
  const RegionAnswer known = decided(-5);
  EXPECT_EQ(known.recognition.verdict, Verdict::known);
  EXPECT_EQ(known.reason, "");
  EXPECT_FALSE(known.unknown);
  EXPECT_EQ(known.unknown_reason, "");
  EXPECT_DOUBLE_EQ(known.threshold, -9.8);
  EXPECT_EQ(known.recognition.typicality, 0.5f);

  EXPECT_EQ(decided(-6, 0.5).recognition.verdict, Verdict::known);
  EXPECT_EQ(decided(-6.001f, 0.5).recognition.verdict, Verdict::unknown);
}

TEST(Decision, SaysWhyItIsUnknown)
{
  const RegionAnswer low = decided(-12.3f);
  EXPECT_EQ(low.recognition.verdict, Verdict::unknown);
  EXPECT_EQ(low.reason, "log p(x) -12.3 is below the threshold -9.8");
  EXPECT_TRUE(low.unknown);
  EXPECT_EQ(low.unknown_reason, low.reason);

  EXPECT_EQ(decided(-9.80001f).reason, "log p(x) -9.80001 is below the threshold -9.8");
}

TEST(Decision, ADensityThatIsNotFiniteIsUnknown)
{
  for (const float value : {kNan, std::numeric_limits<float>::infinity()}) {
    const RegionAnswer answer = decided(value);
    EXPECT_EQ(answer.recognition.verdict, Verdict::unknown);
    EXPECT_EQ(answer.reason, "the density is not finite");
    EXPECT_TRUE(answer.unknown);
  }
}

TEST(Decision, AModelWithoutCalibrationKnowsNothing)
{
  const RegionAnswer answer = decided(-1, 0.95, std::nullopt);
  EXPECT_EQ(answer.recognition.verdict, Verdict::uncalibrated);
  EXPECT_EQ(answer.reason, "the model has no calibration");
  EXPECT_TRUE(answer.unknown);
  EXPECT_TRUE(std::isnan(answer.threshold));
}

class HysteresisTest : public ::testing::Test
{
protected:
  RegionAnswer apply(float log_density)
  {
    RegionAnswer answer = decided(log_density);
    hysteresis.apply(answer, enter, leave);
    return answer;
  }
  bool unknown_after(float log_density) { return apply(log_density).unknown; }

  static constexpr float kKnown = -5, kUnknown = -50;
  int enter = 2;
  int leave = 3;
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
  const RegionAnswer first = apply(kKnown);
  EXPECT_EQ(first.recognition.verdict, Verdict::known);
  EXPECT_EQ(first.reason, "");
  EXPECT_EQ(first.unknown_reason, "only 1 of 3 known images in a row so far");
  apply(kKnown);
  apply(kKnown);

  const RegionAnswer glitch = apply(kUnknown);
  EXPECT_EQ(glitch.recognition.verdict, Verdict::unknown);
  EXPECT_NE(glitch.reason, "");
  EXPECT_FALSE(glitch.unknown);
  EXPECT_EQ(glitch.unknown_reason, "");

  const RegionAnswer flagged = apply(kUnknown);
  EXPECT_TRUE(flagged.unknown);
  EXPECT_EQ(flagged.unknown_reason, "log p(x) -50 is below the threshold -9.8");
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

TEST_F(HysteresisTest, WithOneFrameEachItFollowsTheFrames)
{
  enter = leave = 1;
  for (const float value : {kKnown, kUnknown, kUnknown, kKnown, kNan, kKnown}) {
    EXPECT_EQ(unknown_after(value), !(value == kKnown));
  }
}

}  // namespace
}  // namespace mgproto::perception
