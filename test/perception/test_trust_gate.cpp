// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// Tables of events: what comes when, and what the gate says then. Seconds; a flag's stamp is given by
// the same clock, which is `clock_set` ahead of what passes.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "perception/trust_gate.hpp"

namespace mgproto::perception
{
namespace
{

constexpr double kClockAtStart = 1000;

Stamp stamp_at(double at)
{
  const auto ns = static_cast<std::int64_t>(std::llround((kClockAtStart + at) * 1e3)) * 1000000;
  return {static_cast<std::int32_t>(ns / 1000000000), static_cast<std::uint32_t>(ns % 1000000000)};
}

Moment moment(double at, double clock_set = 0)
{
  const std::chrono::duration<double> passed(at);
  return {
    TrustGate::Clock::time_point() + std::chrono::hours(1) +
      std::chrono::duration_cast<TrustGate::Clock::duration>(passed),
    stamp_at(at + clock_set)};
}

struct Said
{
  OodFlag flag;
  std::size_t source = 0;
};
using Comes = std::optional<Said>;
const Comes kNothing;

Comes known(double stamp, const std::string & id = "", std::size_t source = 0)
{
  return Said{{stamp_at(stamp), false, "", id}, source};
}

Comes unknown(double stamp, const std::string & id = "", std::size_t source = 0)
{
  return Said{{stamp_at(stamp), true, "unlike anything in training", id}, source};
}

/// As a camera without a clock stamps it.
Comes unstamped(Comes said)
{
  said->flag.stamp = {};
  return said;
}

struct Event
{
  double at;
  Comes comes;
  std::string says;  ///< the message of the diagnosis
  double clock_set = 0;
};

const std::string kTrusted = "trusted";
std::string no(const std::string & reason) { return "not trusted: " + reason; }
std::string wait(const std::string & so_far, const std::string & needed = "2.0")
{
  return no("well for only " + so_far + " of " + needed + " s so far");
}
const std::string kStranger = no("/ood: unknown: unlike anything in training");

GateSettings settings_of(double timeout, double recover_seconds)
{
  GateSettings settings;
  settings.timeout = timeout;
  settings.recover_seconds = recover_seconds;
  return settings;
}

void play(
  const std::vector<Event> & events, const GateSettings & settings = settings_of(1, 2),
  const std::vector<std::string> & sources = {"/ood"})
{
  TrustGate gate(sources, settings);
  for (const Event & event : events) {
    const Moment now = moment(event.at, event.clock_set);
    if (event.comes) {
      gate.add(event.comes->source, event.comes->flag, now);
    }
    gate.news(now);
    const std::string message = gate.diagnosis(now).message;
    EXPECT_EQ(message.substr(0, message.find(", after ")), event.says) << "at " << event.at;
  }
}

TEST(TrustGate, TrustsWhenAllHasBeenWellForAWhile)
{
  play({
    {0.0, kNothing, no("/ood: nothing heard yet")},
    {9.0, kNothing, no("/ood: nothing heard yet")},
    {9.1, known(9.0), wait("0.0")},
    {10.0, known(9.9), wait("0.9")},
    {10.9, known(10.8), wait("1.8")},
    {11.05, kNothing, wait("1.9")},
    {11.15, kNothing, kTrusted},
    {11.8, known(11.7), kTrusted},
  });
}

TEST(TrustGate, FallsAtOnceForOneUnknownImageAndStartsAnew)
{
  play({
    {0.0, known(0.0), wait("0.0")},
    {0.9, known(0.9), wait("0.9")},
    {1.8, known(1.8), wait("1.8")},
    {2.1, known(2.1), kTrusted},
    {2.2, unknown(2.2), kStranger},
    {2.3, known(2.3), wait("0.0")},
    {3.2, known(3.2), wait("0.9")},
    {3.3, unknown(3.3), kStranger},
    {3.4, known(3.4), wait("0.0")},
    {4.3, known(4.3), wait("0.9")},
    {5.2, known(5.2), wait("1.8")},
    {5.5, kNothing, kTrusted},
  });
}

TEST(TrustGate, DoesNotTrustSilence)
{
  play({
    {0.0, known(0.0), wait("0.0")},
    {1.0, known(1.0), wait("1.0")},
    {2.0, known(2.0), kTrusted},
    {2.95, kNothing, kTrusted},
    {3.05, kNothing, no("/ood: silent for 1.1 s")},
    {9.0, kNothing, no("/ood: silent for 7.0 s")},
    {9.1, known(9.1), wait("0.0")},
  });
}

TEST(TrustGate, NoticesASilenceAlsoIfNobodyAskedDuringIt)
{
  play({
    {0.0, known(0.0), wait("0.0")},
    {1.0, known(1.0), wait("1.0")},
    {2.0, known(2.0), kTrusted},
    {9.0, known(9.0), wait("0.0")},
  });
}

TEST(TrustGate, DoesNotTrustAnOldImageThoughItsFlagHasJustCome)
{
  play(
    {
      {5.0, known(4.9), kTrusted},
      {5.5, known(4.4), kTrusted},  // older than the newest, which is still fresh
      {6.0, known(5.1), kTrusted},
      {6.05, kNothing, kTrusted},
      {6.2, kNothing, no("/ood: its image is 1.1 s old by its stamp")},
      {7.0, known(5.2), no("/ood: its image is 1.8 s old by its stamp")},
      {7.9, known(-2000), no("/ood: its image is 2.7 s old by its stamp")},
      {8.1, known(-2000), no("/ood: its image is 2008.1 s old by its stamp")},
    },
    settings_of(1, 0));
}

TEST(TrustGate, CountsZeroAndFutureStampsByArrival)
{
  for (const double ahead : {30.0, 1e6}) {
    play(
      {
        {0.0, known(0.0 + ahead), kTrusted},
        {0.9, kNothing, kTrusted},
        {1.1, kNothing, no("/ood: silent for 1.1 s")},
        {1.2, known(1.2 + ahead), kTrusted},
      },
      settings_of(1, 0));
  }
  play(
    {
      {0.0, unstamped(known(0)), kTrusted},
      {0.9, unstamped(known(0)), kTrusted},
      {1.8, unstamped(known(0)), kTrusted},
      {1.9, unstamped(unknown(0)), kStranger},
      {2.0, unstamped(known(0)), kTrusted},
      {3.1, kNothing, no("/ood: silent for 1.1 s")},
    },
    settings_of(1, 0));
}

TEST(TrustGate, SeesThatAnImageStandsStill)
{
  play(
    {
      {0.0, known(50.0), kTrusted},
      {0.9, known(50.0), kTrusted},
      {1.1, known(50.0), no("/ood: no newer image for 1.1 s")},
      {9.0, known(50.0), no("/ood: no newer image for 9.0 s")},
      {9.1, known(50.1), kTrusted},
    },
    settings_of(1, 0));
}

TEST(TrustGate, NeedsEverySourceAndNamesTheOnesThatFail)
{
  play(
    {
      {0.0, known(0.0, "", 0), no("/rear/ood: nothing heard yet")},
      {0.5, known(0.5, "", 1), wait("0.0", "1.0")},
      {1.4, known(1.4, "", 1), no("/front/ood: silent for 1.4 s")},
      {1.5, known(1.5, "", 0), wait("0.0", "1.0")},
      {2.3, known(2.3, "", 1), wait("0.8", "1.0")},
      {2.4, known(2.4, "", 0), wait("0.9", "1.0")},
      {2.6, kNothing, kTrusted},
      {2.7, unknown(2.7, "", 1), no("/rear/ood: unknown: unlike anything in training")},
      {2.8, known(2.8, "", 0), no("/rear/ood: unknown: unlike anything in training")},
      {3.65, kNothing, no("/rear/ood: unknown: unlike anything in training")},
      {3.75, kNothing, no("/rear/ood: silent for 1.1 s")},
      {3.9, kNothing, no("/front/ood: silent for 1.1 s; /rear/ood: silent for 1.2 s")},
    },
    settings_of(1, 1), {"/front/ood", "/rear/ood"});
}

TEST(TrustGate, TakesAnImageForUnknownIfOneOfItsRegionsIs)
{
  play(
    {
      {0.00, known(0.0, "1"), kTrusted},
      {0.01, unknown(0.0, "2"), kStranger},
      {0.02, known(0.0, "3"), kStranger},
      {0.03, known(0.0, "2"), kStranger},
      {0.10, known(0.1, "1"), kTrusted},
      {0.11, known(0.1, "2"), kTrusted},
      {0.12, unknown(0.0, "4"), kStranger},  // late, but no reason to think better of it
      {0.13, known(0.1, "4"), kStranger},
      {0.20, known(0.2, "1"), kTrusted},
    },
    settings_of(1, 0));
}

TEST(TrustGate, TakesAnIdThatComesAgainForANewImageIfThereIsNoStamp)
{
  play(
    {
      {0.0, unstamped(known(0, "1")), kTrusted},
      {0.1, unstamped(unknown(0, "2")), kStranger},
      {0.2, unstamped(known(0, "3")), kStranger},
      {0.3, unstamped(known(0, "1")), kTrusted},
      {0.4, unstamped(known(0, "2")), kTrusted},
    },
    settings_of(1, 0));
}

TEST(TrustGate, IsNotMadeTrustingByAClockThatIsSet)
{
  // Stale by 100 s, then the clock is set back by as much, as at the end of a bag that loops.
  play({
    {0.0, known(-100), no("/ood: its image is 100.0 s old by its stamp")},
    {0.5, known(-99.5), no("/ood: its image is 100.0 s old by its stamp")},
    {0.6, kNothing, no("/ood: nothing new since the clock was set back"), -200},
    {0.7, known(-99.5), no("/ood: nothing new since the clock was set back"), -200},
    {0.8, known(-99.2), wait("0.0"), -100},
    {1.2, known(-98.8), wait("0.4"), -100},
    {1.3, kNothing, no("/ood: nothing new since the clock was set back"), -100.2},
  });
  // While it is trusted: what was said before is of another time.
  play({
    {0.0, known(0.0), wait("0.0")},
    {1.0, known(1.0), wait("1.0")},
    {2.0, known(2.0), kTrusted},
    {2.1, kNothing, no("/ood: nothing new since the clock was set back"), -2.1},
    {2.2, known(0.1), wait("0.0"), -2.1},
    {3.1, known(1.0), wait("0.9"), -2.1},
    {3.2, kNothing, no("/ood: its image is 500.0 s old by its stamp"), 497.8},
    {3.3, known(501.1), wait("0.0"), 497.8},
  });
}

TEST(TrustGate, DoesNotTrustIfThereIsNobodyToListenTo)
{
  play({{0.0, kNothing, no("nobody to listen to")}}, settings_of(1, 0), {});
}

TEST(TrustGate, DoesNotTrustBeforeTheClockHasStarted)
{
  const std::string waits = no("the clock has not started: nothing on /clock");
  play({
    {0.0, known(5.0), waits, -kClockAtStart},
    {0.9, known(5.9), waits, -kClockAtStart - 0.9},
    {1.0, known(6.0), wait("0.0"), 5.0},
  });
}

TEST(TrustGate, ReadsStampsThatNoClockShows)
{
  TrustGate gate({"/ood"}, settings_of(1, 0));
  const Stamp earliest{std::numeric_limits<std::int32_t>::min(), 0};
  const Stamp latest{
    std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::uint32_t>::max()};
  const TrustGate::Clock::time_point start = moment(0).steady;

  gate.add(0, {earliest, false, "", ""}, {start, latest});
  EXPECT_FALSE(gate.news({start, latest})->trusted);
  gate.add(0, {latest, false, "", ""}, {start, latest});
  EXPECT_TRUE(gate.news({start, latest})->trusted);
  gate.add(0, {latest, true, std::string(100000, '\n'), ""}, {start, latest});
  const std::string reason = gate.news({start, latest})->reason;
  EXPECT_LT(reason.size(), 200u);
  EXPECT_EQ(reason.find('\n'), std::string::npos);
}

TEST(TrustGate, KeepsLittleOfWhatHasNoStampAndNoIdTwice)
{
  TrustGate gate({"/ood"}, settings_of(3600, 0));
  for (int i = 0; i < 5000; ++i) {
    gate.add(0, {{}, i == 0, "", std::to_string(i)}, moment(0));
  }
  EXPECT_TRUE(gate.news(moment(0))->trusted);  // the first image has ended
}

TEST(TrustGate, TellsAChangeAtOnceAndTheRestAtItsRate)
{
  GateSettings settings = settings_of(10, 0);
  settings.rate = 2;
  TrustGate gate({"/ood"}, settings);

  const auto first = gate.news(moment(0));
  ASSERT_TRUE(first);
  EXPECT_FALSE(first->trusted);
  EXPECT_EQ(first->speed_limit, 20);
  EXPECT_EQ(first->reason, "/ood: nothing heard yet");
  EXPECT_FALSE(gate.news(moment(0.1)));
  EXPECT_FALSE(gate.news(moment(0.4)));
  EXPECT_TRUE(gate.news(moment(0.5)));
  EXPECT_FALSE(gate.news(moment(0.6)));

  gate.add(0, known(0.65)->flag, moment(0.65));
  const auto risen = gate.news(moment(0.65));
  ASSERT_TRUE(risen);
  EXPECT_TRUE(risen->trusted);
  EXPECT_EQ(risen->speed_limit, 100);
  EXPECT_EQ(risen->reason, "");
  EXPECT_FALSE(gate.news(moment(1.0)));  // counted from then

  gate.add(0, unknown(1.05)->flag, moment(1.05));
  gate.add(0, known(1.05)->flag, moment(1.06));
  const auto fallen = gate.news(moment(1.07));
  ASSERT_TRUE(fallen);
  EXPECT_EQ(fallen->speed_limit, 20);

  settings.speed_untrusted = 5;
  gate.set_settings(settings);
  const auto slower = gate.news(moment(1.1));
  ASSERT_TRUE(slower);
  EXPECT_EQ(slower->speed_limit, 5);
}

TEST(TrustGate, KeepsItsRateIfItIsAskedATrifleEarly)
{
  GateSettings settings;
  settings.rate = 20;
  TrustGate gate({"/ood"}, settings);
  int told = 0;
  for (int i = 0; i < 20; ++i) {
    told += gate.news(moment(0.0499 * i)) ? 1 : 0;
  }
  EXPECT_EQ(told, 20);
}

TEST(TrustGate, SaysWhileItRecoversWhatWasWrong)
{
  TrustGate gate({"/ood"}, settings_of(1, 2));
  const auto message = [&](double at) {
    gate.news(moment(at));
    return gate.diagnosis(moment(at)).message;
  };
  gate.add(0, known(0)->flag, moment(0));
  EXPECT_EQ(
    message(0.5), "not trusted: well for only 0.5 of 2.0 s so far, after /ood: nothing heard yet");
  gate.add(0, unknown(0.6)->flag, moment(0.6));
  gate.add(0, known(0.7)->flag, moment(0.7));
  EXPECT_EQ(
    message(0.8),
    "not trusted: well for only 0.1 of 2.0 s so far, after /ood: unknown: unlike anything in "
    "training");
  EXPECT_EQ(gate.diagnosis(moment(0.8)).level, Level::warn);
  gate.add(0, known(9.0)->flag, moment(9.0));  // nobody asked during the silence
  EXPECT_EQ(
    message(9.1), "not trusted: well for only 0.1 of 2.0 s so far, after /ood: silent for 8.3 s");
}

TEST(TrustGate, IsDiagnosedInWordsAndNumbers)
{
  TrustGate gate({"/front/ood", "/rear/ood"}, settings_of(1, 0));
  const auto diagnosed = [&](double at) {
    gate.news(moment(at));
    const Diagnosis diagnosis = gate.diagnosis(moment(at));
    EXPECT_EQ(diagnosis.name, "trust");
    std::map<std::string, std::string> values(diagnosis.values.begin(), diagnosis.values.end());
    return std::make_pair(diagnosis.level, values);
  };

  auto [level, values] = diagnosed(0);
  EXPECT_EQ(level, Level::error);
  EXPECT_EQ(values.at("trusted"), "false");
  EXPECT_EQ(values.at("speed limit [%]"), "20");
  EXPECT_EQ(values.at("falls"), "0");
  EXPECT_EQ(values.at("/front/ood flags"), "0");
  EXPECT_EQ(values.at("/rear/ood silent [s]"), "n/a");

  gate.add(0, known(0)->flag, moment(0));
  gate.add(1, known(0)->flag, moment(0));
  std::tie(level, values) = diagnosed(0.5);
  EXPECT_EQ(level, Level::ok);
  EXPECT_EQ(values.at("trusted"), "true");
  EXPECT_EQ(values.at("speed limit [%]"), "100");
  EXPECT_EQ(values.at("/rear/ood silent [s]"), "0.5");

  gate.add(1, unknown(0.6)->flag, moment(0.6));
  std::tie(level, values) = diagnosed(0.6);
  EXPECT_EQ(level, Level::warn);
  EXPECT_EQ(values.at("falls"), "1");
  EXPECT_EQ(values.at("/rear/ood flags"), "2");

  EXPECT_EQ(diagnosed(9).first, Level::error);
}

}  // namespace
}  // namespace mgproto::perception
