// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// Covers rates, percentiles, shares and drift by numbers worked out by hand, what is forgotten and
// when, the bound on memory, and calls from several threads. All times are made up.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "perception/statistics.hpp"

namespace mgproto::perception
{
namespace
{

using std::chrono::milliseconds;
using std::chrono::seconds;

const Clock::time_point kStart{std::chrono::hours(1000)};
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Clock::time_point at(double time)
{
  return kStart + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(time));
}

Calibration calibration(std::vector<double> quantiles)
{
  Calibration result;
  result.log_density = std::move(quantiles);
  return result;
}

class Statistics : public ::testing::Test
{
protected:
  CameraStatistics summary(double time, const std::optional<Calibration> & reference = {}) const
  {
    return collector_.summary(at(time), reference);
  }
  /// Drift of these log-densities from the calibration.
  std::optional<double> drift(
    const std::vector<double> & densities, const std::vector<double> & quantiles)
  {
    collector_.model_changed();
    for (const double density : densities) {
      collector_.region_answered(at(0), false, density);
    }
    return summary(1, calibration(quantiles)).drift;
  }

  StatisticsCollector collector_{"front", kStart};
};

TEST_F(Statistics, OfASilentCameraClaimNothing)
{
  const CameraStatistics silent = summary(5, calibration({0, 1}));

  EXPECT_EQ(silent.camera, "front");
  EXPECT_EQ(silent.input_rate, 0);
  EXPECT_EQ(silent.output_rate, 0);
  EXPECT_FALSE(silent.latency_p50 || silent.latency_p95 || silent.latency_max);
  EXPECT_FALSE(silent.unknown_share || silent.drift);
  EXPECT_FALSE(silent.seconds_since_frame || silent.seconds_since_invalid);
  EXPECT_FALSE(silent.seconds_unanswered || silent.last_drop);
  EXPECT_EQ(silent.seconds_since_start, 5);
  EXPECT_EQ(silent.received + silent.answered + silent.invalid, 0u);
  EXPECT_EQ(silent.dropped.size(), 6u);
}

TEST_F(Statistics, GiveRatesFromTheSecondFrameOn)
{
  collector_.frame_received(at(0));
  EXPECT_EQ(summary(0).input_rate, 0);
  for (int i = 1; i <= 10; ++i) {
    collector_.frame_received(at(0.1 * i));
    if (i % 2 == 0) {
      collector_.frame_answered(at(0.1 * i), milliseconds(50));
    }
  }

  EXPECT_NEAR(summary(1).input_rate, 10, 1e-6);
  EXPECT_NEAR(summary(1).output_rate, 5, 1e-6);
}

TEST_F(Statistics, GiveRatesOfTheLastTenSeconds)
{
  for (int i = 0; i < 200; ++i) {
    collector_.frame_received(at(0.1 * i));
  }

  EXPECT_NEAR(summary(19.9).input_rate, 10, 0.11);
  EXPECT_NEAR(summary(25).input_rate, 5, 0.11);
  EXPECT_EQ(summary(31).input_rate, 0);
  EXPECT_NEAR(*summary(31).seconds_since_frame, 11.1, 1e-6);
}

TEST_F(Statistics, GivePercentilesByNearestRank)
{
  // 20 latencies of 10 to 200 ms: the 10th is the median, the 19th the 95th percentile.
  for (const int i : {7, 20, 1, 14, 3, 18, 5, 16, 9, 12, 11, 10, 13, 8, 15, 6, 17, 4, 19, 2}) {
    collector_.frame_answered(at(1), milliseconds(10 * i));
  }

  EXPECT_NEAR(*summary(2).latency_p50, 0.10, 1e-9);
  EXPECT_NEAR(*summary(2).latency_p95, 0.19, 1e-9);
  EXPECT_NEAR(*summary(2).latency_max, 0.20, 1e-9);
}

TEST_F(Statistics, OfOneAnswerAreThatAnswer)
{
  collector_.frame_answered(at(1), milliseconds(30), true, -5.0);

  const CameraStatistics one = summary(1);
  EXPECT_NEAR(*one.latency_p50, 0.03, 1e-9);
  EXPECT_NEAR(*one.latency_p95, 0.03, 1e-9);
  EXPECT_NEAR(*one.latency_max, 0.03, 1e-9);
  EXPECT_EQ(*one.unknown_share, 1);
}

TEST_F(Statistics, ForgetAnswersAfterAMinute)
{
  collector_.frame_answered(at(0), milliseconds(900), true, -5.0);
  collector_.frame_answered(at(30), milliseconds(10), false, -5.0);

  EXPECT_EQ(*summary(59).unknown_share, 0.5);
  EXPECT_NEAR(*summary(59).latency_max, 0.9, 1e-9);
  EXPECT_EQ(*summary(61).unknown_share, 0);
  EXPECT_NEAR(*summary(61).latency_max, 0.01, 1e-9);
  EXPECT_FALSE(summary(91).unknown_share);
  EXPECT_EQ(summary(91).answered, 2u);
}

TEST_F(Statistics, CountRegionsOfAFrameOneByOne)
{
  collector_.frame_answered(at(1), milliseconds(10));
  collector_.region_answered(at(1), true, -9.0);
  collector_.region_answered(at(1), false, -1.0);
  collector_.region_answered(at(1), false, -1.0);
  collector_.region_answered(at(1), false, -1.0);
  collector_.frame_answered(at(2), milliseconds(10));  // a detector that found nothing

  EXPECT_EQ(summary(2).answered, 2u);
  EXPECT_EQ(*summary(2).unknown_share, 0.25);
}

TEST_F(Statistics, CountADensityThatIsNotFiniteAsUnknown)
{
  collector_.frame_answered(at(1), milliseconds(10), false, std::nan(""));
  collector_.frame_answered(at(1), milliseconds(10), false, kInfinity);
  collector_.frame_answered(at(1), milliseconds(10), false, -kInfinity);
  collector_.frame_answered(at(1), milliseconds(10), false, -1.0);

  EXPECT_EQ(*summary(1).unknown_share, 0.75);
}

TEST_F(Statistics, CountEveryReasonToDrop)
{
  collector_.frame_dropped(Drop::too_old);
  collector_.frame_dropped(Drop::newer_frame);
  collector_.frame_dropped(Drop::too_old);
  collector_.message_invalid(at(3));

  const CameraStatistics found = summary(5);
  EXPECT_EQ(found.dropped.at(Drop::too_old), 2u);
  EXPECT_EQ(found.dropped.at(Drop::newer_frame), 1u);
  EXPECT_EQ(found.dropped.at(Drop::failed), 0u);
  EXPECT_EQ(found.last_drop, Drop::too_old);
  EXPECT_EQ(found.invalid, 1u);
  EXPECT_EQ(*found.seconds_since_invalid, 2);
}

TEST_F(Statistics, KnowHowLongFramesHaveGoneUnanswered)
{
  collector_.frame_received(at(1));
  collector_.frame_received(at(2));
  EXPECT_EQ(*summary(5).seconds_unanswered, 4);

  collector_.frame_answered(at(5), seconds(3));
  EXPECT_FALSE(summary(6).seconds_unanswered);

  collector_.frame_received(at(7));
  EXPECT_EQ(*summary(8).seconds_unanswered, 1);
  collector_.frame_dropped(Drop::disabled);
  EXPECT_FALSE(summary(9).seconds_unanswered);
}

TEST_F(Statistics, AreNeverNegativeIfAFrameComesDuringTheSummary)
{
  collector_.frame_received(at(5));
  collector_.message_invalid(at(5));

  EXPECT_EQ(*summary(4.9).seconds_since_frame, 0);
  EXPECT_EQ(*summary(4.9).seconds_since_invalid, 0);
  EXPECT_EQ(summary(4.9).input_rate, 0);
}

TEST_F(Statistics, HaveNoDriftWithSamplesOfTheCalibrationItself)
{
  // log p(x) of 101 calibration images, denser in the middle.
  std::vector<double> quantiles;
  for (int i = 0; i <= 100; ++i) {
    const double x = i / 50.0 - 1;
    quantiles.push_back(-100 + 20 * x * x * x);
  }
  std::vector<double> samples;
  for (int i = 0; i < 500; ++i) {
    const double rank = (i + 0.5) / 500 * 100;
    const auto k = static_cast<std::size_t>(rank);
    samples.push_back(
      quantiles[k] + (rank - static_cast<double>(k)) * (quantiles[k + 1] - quantiles[k]));
  }

  EXPECT_NEAR(*drift(samples, quantiles), 0.5 / 500, 1e-9);
  for (double & sample : samples) {
    sample -= 1;
  }
  EXPECT_GT(*drift(samples, quantiles), 0.1);
  for (double & sample : samples) {
    sample -= 100;
  }
  EXPECT_EQ(*drift(samples, quantiles), 1);
}

TEST_F(Statistics, GiveTheDriftThatAHandWouldCompute)
{
  // Uniform on [0, 1]; half of the samples at 1/4, half at 3/4: 1/4 apart in front of each step.
  std::vector<double> samples(15, 0.25);
  samples.insert(samples.end(), 15, 0.75);
  EXPECT_NEAR(*drift(samples, {0, 1}), 0.25, 1e-12);
  EXPECT_NEAR(*drift(samples, {0, 0.5, 1}), 0.25, 1e-12);

  // All at one point in the middle.
  EXPECT_NEAR(*drift(std::vector<double>(30, 0.5), {0, 1}), 0.5, 1e-12);
  // All beyond either end.
  EXPECT_EQ(*drift(std::vector<double>(30, 2), {0, 1}), 1);
  EXPECT_EQ(*drift(std::vector<double>(30, -2), {0, 1}), 1);
}

TEST_F(Statistics, HaveADriftAlsoWhereQuantilesAreEqual)
{
  EXPECT_EQ(*drift(std::vector<double>(30, 3), {3, 3, 3}), 0);
  EXPECT_EQ(*drift(std::vector<double>(30, 4), {3, 3, 3}), 1);
  // Half of the calibration's mass sits at 0, where all samples are.
  EXPECT_NEAR(*drift(std::vector<double>(30, 0), {0, 0, 1}), 0.5, 1e-12);
}

TEST_F(Statistics, TakeADensityThatIsNotFiniteForTheLowestInDrift)
{
  std::vector<double> samples(15, std::nan(""));
  for (int i = 0; i < 15; ++i) {
    samples.push_back((i + 0.5) / 15);
  }

  EXPECT_NEAR(*drift(samples, {0, 1}), 0.5, 0.02);
  EXPECT_EQ(*drift(std::vector<double>(30, kInfinity), {0, 1}), 1);
}

TEST_F(Statistics, HaveNoDriftOfTooFewAnswersOrWithoutCalibration)
{
  EXPECT_FALSE(drift(std::vector<double>(29, 0.5), {0, 1}));
  EXPECT_TRUE(drift(std::vector<double>(30, 0.5), {0, 1}));
  EXPECT_FALSE(summary(1).drift);
  EXPECT_FALSE(summary(1, calibration({})).drift);
  EXPECT_FALSE(summary(1, calibration({1})).drift);
}

TEST_F(Statistics, ForgetTheVerdictsOfAnotherModel)
{
  for (int i = 0; i < 40; ++i) {
    collector_.frame_answered(at(1), milliseconds(10), true, -5.0);
  }
  ASSERT_TRUE(summary(2, calibration({0, 1})).drift);

  collector_.model_changed();

  EXPECT_FALSE(summary(2, calibration({0, 1})).drift);
  EXPECT_FALSE(summary(2).unknown_share);
  EXPECT_EQ(summary(2).answered, 40u);
}

TEST_F(Statistics, StayRightAtAnyRate)
{
  constexpr double kRate = 5000;
  for (int i = 0; i < 50000; ++i) {
    collector_.frame_received(at(i / kRate));
    collector_.frame_answered(at(i / kRate), milliseconds(1), i % 4 == 0, -1.0);
  }

  const CameraStatistics fast = summary(10);
  EXPECT_EQ(fast.received, 50000u);
  EXPECT_NEAR(fast.input_rate, kRate, 2);
  EXPECT_NEAR(fast.output_rate, kRate, 2);
  EXPECT_NEAR(*fast.unknown_share, 0.25, 0.001);
}

TEST(Recent, KeepsABoundedNumberOfTheNewestSamples)
{
  struct Sample
  {
    Clock::time_point time;
    int value;
  };
  Recent<Sample> recent(seconds(60));
  for (int i = 0; i < 100000; ++i) {
    recent.add({at(i * 1e-4), i});
  }

  std::size_t count = 0;
  int oldest = 100000;
  recent.after(kStart - seconds(1), [&](const Sample & sample) {
    ++count;
    oldest = std::min(oldest, sample.value);
  });
  EXPECT_EQ(count, Recent<Sample>::kMost);
  EXPECT_EQ(oldest, 100000 - static_cast<int>(Recent<Sample>::kMost));
}

TEST_F(Statistics, MayBeCollectedFromSeveralThreads)
{
  constexpr int kFrames = 2000;
  const auto now = Clock::now();
  std::thread camera([&] {
    for (int i = 0; i < kFrames; ++i) {
      collector_.frame_received(now);
      collector_.message_invalid(now);
    }
  });
  std::thread worker([&] {
    for (int i = 0; i < kFrames; ++i) {
      collector_.frame_answered(now, milliseconds(1), false, -1.0);
      collector_.frame_dropped(Drop::newer_frame);
    }
  });
  for (int i = 0; i < 20; ++i) {
    collector_.summary(now, calibration({-2, 0}));
  }
  camera.join();
  worker.join();

  const CameraStatistics all = collector_.summary(now, calibration({-2, 0}));
  EXPECT_EQ(all.received, 2000u);
  EXPECT_EQ(all.invalid, 2000u);
  EXPECT_EQ(all.answered, 2000u);
  EXPECT_EQ(all.dropped.at(Drop::newer_frame), 2000u);
  EXPECT_NEAR(*all.drift, 0.5, 1e-12);
}

}  // namespace
}  // namespace mgproto::perception
