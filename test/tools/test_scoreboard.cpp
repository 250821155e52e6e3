// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "tools/scoreboard.hpp"

namespace mgproto::tools
{
namespace
{

using Clock = Scoreboard::Clock;
using nlohmann::json;

Stamp at(int number) { return {number / 10, static_cast<std::uint32_t>(number % 10) * 100000000u}; }

Truth truth(int number, const std::string & label) { return {at(number), label, ""}; }

WatchedPrediction prediction(
  int number, Verdict status, const std::string & class_name, double latency = 0.01,
  const std::string & model = "")
{
  WatchedPrediction result;
  result.stamp = at(number);
  result.status = status;
  result.class_name = class_name;
  result.latency = latency;
  result.model_id = model;
  return result;
}

TEST(Scoreboard, IsAllZerosAndNullsInTheBeginning)
{
  EXPECT_EQ(
    summary_json(Scoreboard().score()),
    R"({"frames":0,"predictions":0,"known":{"count":0,"accuracy":null,"accepted":null},)"
    R"("unknown":{},"taught":{},"latency_ms":{"p50":null,"p95":null}})");
}

TEST(Scoreboard, CountsByKindWhateverTheOrder)
{
  std::vector<Truth> truths{
    truth(1, "known/Plover"), truth(2, "known/Plover"),        truth(3, "known/Snipe"),
    truth(4, "known/Snipe"),  truth(5, "unseen_species/Hawk"), truth(6, "vehicles/car"),
    truth(7, "vehicles"),     truth(8, "known/Snipe")};  // 8 is never answered
  std::vector<WatchedPrediction> predictions{
    prediction(1, Verdict::known, "005.Plover"),  prediction(2, Verdict::unknown, "005.Plover"),
    prediction(3, Verdict::known, "Plover"),      prediction(4, Verdict::known, "Snipe"),
    prediction(5, Verdict::known, "Plover"),      prediction(6, Verdict::unknown, "Plover"),
    prediction(7, Verdict::uncalibrated, "Snipe")};
  std::mt19937 random(1);

  for (int round = 0; round < 20; ++round) {
    std::shuffle(truths.begin(), truths.end(), random);
    std::shuffle(predictions.begin(), predictions.end(), random);
    Scoreboard board;
    std::size_t next_truth = 0, next_prediction = 0;
    while (next_truth < truths.size() || next_prediction < predictions.size()) {
      const bool prefer_truth = random() % 2 == 0;
      if (next_truth < truths.size() && (prefer_truth || next_prediction == predictions.size())) {
        board.add(truths[next_truth++]);
      } else {
        board.add(predictions[next_prediction++]);
      }
    }

    const json summary = json::parse(summary_json(board.score()));

    EXPECT_EQ(summary["frames"], 8);
    EXPECT_EQ(summary["predictions"], 7);
    EXPECT_EQ(summary["known"], json::parse(R"({"count":4,"accuracy":0.75,"accepted":0.75})"));
    EXPECT_EQ(summary["unknown"], json::parse(R"({"unseen_species":{"count":1,"rejected":0.0},
        "vehicles":{"count":2,"rejected":1.0}})"));
  }
}

TEST(Scoreboard, GivesOtherKindsTheirOwnPlaceAndLeavesOutWhatHasNoLabel)
{
  Scoreboard board;
  board.add(truth(1, "street/left"));
  board.add(prediction(1, Verdict::unknown, "Plover"));
  board.add(truth(2, ""));
  board.add(prediction(2, Verdict::known, "Plover"));
  board.add(truth(3, "known"));
  board.add(prediction(3, Verdict::known, "Plover"));

  const json summary = json::parse(summary_json(board.score()));

  EXPECT_EQ(summary["unknown"]["street"], json::parse(R"({"count":1,"rejected":1.0})"));
  EXPECT_EQ(summary["unknown"].size(), 1u);
  EXPECT_EQ(summary["known"]["count"], 0);
  EXPECT_EQ(summary["frames"], 3);
}

TEST(Scoreboard, KnowsAFoldersClassesByWhatTheModelKnows)
{
  Scoreboard board;
  board.set_classes("m", {"Mango", "005.Plover"});
  int number = 0;
  const auto show = [&](const std::string & label, Verdict verdict, const std::string & as) {
    board.add(truth(++number, label));
    board.add(prediction(number, verdict, as, 0.01, "m"));
  };
  show("test/Mango", Verdict::known, "Mango");
  show("Plover", Verdict::known, "Mango");
  show("unseen/Kiwi", Verdict::unknown, "Mango");
  show("Kiwi", Verdict::known, "Mango");

  const json summary = json::parse(summary_json(board.score()));

  EXPECT_EQ(summary["known"], json::parse(R"({"count":2,"accuracy":0.5,"accepted":1.0})"));
  EXPECT_EQ(summary["unknown"], json::parse(R"({"unseen":{"count":1,"rejected":1.0},
      "Kiwi":{"count":1,"rejected":0.0}})"));
}

TEST(Scoreboard, CountsAClassBeforeAndAfterItIsTaught)
{
  Scoreboard board;
  board.set_classes("m", {"Mango"});
  board.add(truth(1, "unseen/Kiwi"));
  board.add(prediction(1, Verdict::unknown, "Mango", 0.01, "m"));
  board.add(truth(2, "unseen/Kiwi"));
  board.add(prediction(2, Verdict::known, "Mango", 0.01, "m"));
  EXPECT_EQ(json::parse(summary_json(board.score()))["taught"], json::object());

  // The first answer of the new model may come before what it knows.
  board.add(truth(3, "unseen/Kiwi"));
  board.add(prediction(3, Verdict::known, "Kiwi", 0.01, "taught"));
  board.set_classes("taught", {"Mango", "Kiwi"});
  board.add(truth(4, "unseen/Kiwi"));
  board.add(prediction(4, Verdict::unknown, "Mango", 0.01, "m"));  // still by the old one

  const json summary = json::parse(summary_json(board.score()));
  EXPECT_EQ(
    summary["taught"]["Kiwi"]["after"],
    json::parse(R"({"count":1,"accuracy":1.0,"accepted":1.0})"));
  EXPECT_EQ(summary["taught"]["Kiwi"]["before"]["count"], 3);
  EXPECT_NEAR(summary["taught"]["Kiwi"]["before"]["rejected"].get<double>(), 2.0 / 3, 1e-9);
  EXPECT_EQ(summary["known"]["count"], 0);
  EXPECT_EQ(summary["unknown"]["unseen"]["count"], 3);
}

TEST(Scoreboard, ScoresOnlyTheFirstPredictionOfAFrame)
{
  Scoreboard board;
  board.add(truth(1, "known/Plover"));

  board.add(prediction(1, Verdict::known, "Plover"));
  board.add(prediction(1, Verdict::unknown, "Snipe"));

  const Score score = board.score();
  EXPECT_EQ(score.predictions, 2u);
  EXPECT_EQ(score.known.count, 1u);
  EXPECT_EQ(score.known.right, 1u);
}

TEST(Scoreboard, GivesLatenciesInMilliseconds)
{
  Scoreboard board;
  for (int i = 1; i <= 100; ++i) {
    board.add(prediction(i, Verdict::known, "Plover", i * 0.001));
  }
  board.add(prediction(101, Verdict::known, "Plover", std::numeric_limits<double>::quiet_NaN()));

  const json latency = json::parse(summary_json(board.score()))["latency_ms"];

  EXPECT_NEAR(latency["p50"].get<double>(), 50, 1e-9);
  EXPECT_NEAR(latency["p95"].get<double>(), 95, 1e-9);
}

TEST(Scoreboard, KnowsTheNewestPredictionAndItsTruthWhicheverCameLast)
{
  Scoreboard board;
  board.add(prediction(1, Verdict::known, "Plover"));
  EXPECT_FALSE(board.score().newest_label);

  board.add(truth(1, "known/Plover"));
  EXPECT_EQ(board.score().newest_label, "known/Plover");

  board.add(truth(2, "vehicles/car"));
  EXPECT_EQ(board.score().newest_label, "known/Plover");
  board.add(prediction(2, Verdict::unknown, "Snipe"));
  EXPECT_EQ(board.score().newest_label, "vehicles/car");
  EXPECT_EQ(board.score().newest->class_name, "Snipe");
}

TEST(Scoreboard, GivesTheRateOfTheLastSeconds)
{
  Scoreboard board;
  const Clock::time_point begin = Clock::now();
  EXPECT_FALSE(board.score(begin).rate);

  for (int i = 0; i <= 100; ++i) {  // ten a second
    board.add(prediction(i, Verdict::known, "Plover"), begin + std::chrono::milliseconds(100 * i));
    const auto rate = board.score(begin + std::chrono::milliseconds(100 * i)).rate;
    ASSERT_EQ(rate.has_value(), i >= 10);
    if (rate) {
      EXPECT_NEAR(*rate, 10, 0.3);
    }
  }

  EXPECT_EQ(board.score(begin + std::chrono::seconds(60)).rate, 0);
}

TEST(Scoreboard, ForgetsFramesThatNobodyCompletes)
{
  Scoreboard board;
  board.add(prediction(0, Verdict::known, "Plover"));
  for (int i = 1; i < 100000; ++i) {
    board.add(truth(i, "known/Plover"));
  }

  board.add(truth(0, "known/Plover"));                       // too late
  board.add(prediction(99999, Verdict::known, "Plover"));    // in time
  board.add(prediction(98000, Verdict::unknown, "Plover"));  // in time

  EXPECT_EQ(board.score().known.count, 2u);
  EXPECT_EQ(board.score().frames, 100000u);
}

TEST(Scoreboard, CountsTooManyKindsTogether)
{
  Scoreboard board;
  for (int i = 0; i < 1000; ++i) {
    board.add(truth(i, "kind" + std::to_string(i)));
    board.add(prediction(i, Verdict::unknown, "Plover"));
  }

  const Score score = board.score();

  EXPECT_LE(score.unknown.size(), 13u);
  EXPECT_EQ(score.unknown.back().kind, "others");
  EXPECT_EQ(score.unknown.back().count, 988u);
}

}  // namespace
}  // namespace mgproto::tools
