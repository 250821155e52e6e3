// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// Predictions as other nodes read them.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <string>

#include "messages/header.hpp"
#include "messages/prediction_messages.hpp"
#include "not_finite.hpp"

namespace mgproto::messages
{
namespace
{

using PredictionMessage = mgproto_ros::msg::Prediction;
using perception::FramePrediction;
using perception::ModelInfo;
using perception::RegionPrediction;

PrototypeEvidence evidence(int prototype, int class_id, float contribution, int row, int col)
{
  PrototypeEvidence result;
  result.prototype = prototype;
  result.class_id = class_id;
  result.prior = 0.25f;
  result.log_likelihood = -2;
  result.contribution = contribution;
  result.row = row;
  result.col = col;
  result.box = {110, 70, 20, 10};
  result.map = {0.1f, 0.2f, 0.3f, 0.4f, 0.5f, 0.6f};
  return result;
}

/// A wren, seen at (100, 50) in a map of 2 x 3 cells that covers 60 x 40 pixels.
FramePrediction known_wren()
{
  auto model = std::make_shared<ModelInfo>();
  model->id = "birds@12ab";
  model->manifest.classes = {"finch", "wren", "jay"};

  FramePrediction frame;
  frame.header = {{12, 4'000'000'000u}, "front"};
  frame.width = 640;
  frame.height = 480;
  frame.model = model;
  frame.evidence_prototypes = 10;
  frame.regions.resize(1);
  RegionPrediction & region = frame.regions.front();
  region.region = {90, 40, 80, 60};
  region.detection_id = "7";
  region.unknown = false;
  Prediction & prediction = region.prediction;
  prediction.log_likelihood = {-20, -10, -25};
  prediction.posterior = {0.2f, 0.7f, 0.1f};
  prediction.log_density = -11;
  prediction.ranking = {1, 0, 2};
  prediction.class_id = 1;
  prediction.verdict = Verdict::known;
  prediction.score = -20;
  prediction.threshold = -30;
  prediction.p_values = {0.1, 0.2, 0.3, 0.4};
  prediction.missing = {3, 4};
  prediction.typicality = 0.5f;
  prediction.map_rows = 2;
  prediction.map_cols = 3;
  prediction.seen = {100, 50, 60, 40};
  prediction.evidence = {
    evidence(4, 1, 0.6f, 1, 2), evidence(3, 1, 0.3f, 0, 0), evidence(0, 0, 0.9f, 0, 1)};
  return frame;
}

FramePrediction with_top_k(FramePrediction frame, int top_k)
{
  frame.top_k = top_k;
  return frame;
}

PredictionMessage predict(const FramePrediction & frame)
{
  return prediction_message(frame, frame.regions.front());
}

TEST(PredictionMessages, TheMessageSaysWhatThePredictionSays)
{
  const FramePrediction frame = known_wren();

  const PredictionMessage message = predict(frame);

  EXPECT_EQ(message.header, header_message(frame.header));
  EXPECT_EQ(message.header.stamp.nanosec, 4'000'000'000u);
  EXPECT_EQ(message.status, PredictionMessage::KNOWN);
  EXPECT_EQ(message.reason, "");
  EXPECT_EQ(message.class_id, 1);
  EXPECT_EQ(message.class_name, "wren");
  EXPECT_FLOAT_EQ(message.posterior, 0.7f);
  EXPECT_EQ(message.log_likelihood, -10);
  EXPECT_EQ(message.log_density, -11);
  EXPECT_EQ(message.score, -20);
  EXPECT_EQ(message.threshold, -30);
  EXPECT_EQ(message.p_density, 0.1);
  EXPECT_EQ(message.p_parts, 0.2);
  EXPECT_EQ(message.p_place, 0.3);
  EXPECT_EQ(message.p_distance, 0.4);
  EXPECT_EQ(message.missing, (std::vector<std::int32_t>{3, 4}));
  EXPECT_EQ(message.typicality, 0.5);
  EXPECT_EQ(message.region.x_offset, 90u);
  EXPECT_EQ(message.region.y_offset, 40u);
  EXPECT_EQ(message.region.width, 80u);
  EXPECT_EQ(message.region.height, 60u);
  EXPECT_FALSE(message.region.do_rectify);
  EXPECT_EQ(message.detection_id, "7");
  EXPECT_EQ(message.model_id, "birds@12ab");
}

TEST(PredictionMessages, ScoresFallAndAreCutToTopK)
{
  const FramePrediction frame = known_wren();

  const PredictionMessage all = predict(frame);
  ASSERT_EQ(all.scores.size(), 3u);
  EXPECT_EQ(all.scores[0].class_name, "wren");
  EXPECT_EQ(all.scores[1].class_name, "finch");
  EXPECT_EQ(all.scores[2].class_name, "jay");
  EXPECT_EQ(all.scores[2].class_id, 2);
  EXPECT_FLOAT_EQ(all.scores[2].posterior, 0.1f);
  EXPECT_EQ(all.scores[2].log_likelihood, -25);
  EXPECT_EQ(predict(with_top_k(frame, 2)).scores.size(), 2u);
  EXPECT_EQ(predict(with_top_k(frame, 100)).scores.size(), 3u);
}

TEST(PredictionMessages, EvidenceIsThatOfTheClassAndLiesAtTheCentreOfItsCell)
{
  const PredictionMessage message = predict(known_wren());

  ASSERT_EQ(message.evidence.size(), 2u) << "the finch's prototype is not the wren's";
  const auto & first = message.evidence.front();
  EXPECT_EQ(first.prototype, 4);
  EXPECT_EQ(first.class_id, 1);
  EXPECT_EQ(first.prior, 0.25);
  EXPECT_EQ(first.log_likelihood, -2);
  EXPECT_DOUBLE_EQ(first.likelihood, std::exp(-2.0));
  EXPECT_FLOAT_EQ(first.contribution, 0.6f);
  EXPECT_DOUBLE_EQ(first.x, 100 + 60 * 2.5 / 3);
  EXPECT_DOUBLE_EQ(first.y, 50 + 40 * 1.5 / 2);
  EXPECT_EQ(first.box.x_offset, 110u);
  EXPECT_EQ(first.box.height, 10u);
  EXPECT_DOUBLE_EQ(message.evidence[1].x, 110);
  EXPECT_DOUBLE_EQ(message.evidence[1].y, 60);
}

TEST(PredictionMessages, NoMorePrototypesAreToldThanAskedFor)
{
  FramePrediction frame = known_wren();
  frame.evidence_prototypes = 1;
  EXPECT_EQ(predict(frame).evidence.size(), 1u);
  EXPECT_EQ(predict(frame).evidence[0].prototype, 4);
  EXPECT_EQ(evidence_message(frame, frame.regions[0]).maps.size(), 1u);
  frame.evidence_prototypes = 0;
  EXPECT_TRUE(predict(frame).evidence.empty());
  EXPECT_TRUE(evidence_message(frame, frame.regions[0]).maps.empty());
}

TEST(PredictionMessages, ALikelihoodTooSmallForADoubleIsZeroAndItsLogarithmStays)
{
  FramePrediction frame = known_wren();
  frame.regions[0].prediction.evidence[0].log_likelihood = -5000;
  const PredictionMessage message = predict(frame);
  EXPECT_EQ(message.evidence[0].likelihood, 0);
  EXPECT_EQ(message.evidence[0].log_likelihood, -5000);
}

TEST(PredictionMessages, NothingIsInventedWhereNoDensityIsFinite)
{
  FramePrediction frame = known_wren();
  RegionPrediction & region = frame.regions.front();
  region.prediction.log_likelihood = {NAN, kInfinity, -kInfinity};
  region.prediction.posterior = {NAN, NAN, NAN};
  region.prediction.log_density = -kInfinity;
  region.prediction.ranking.clear();
  region.prediction.class_id = -1;
  region.prediction.verdict = Verdict::unknown;
  region.prediction.typicality.reset();
  region.prediction.threshold = NAN;
  region.reason = "the density is not finite";
  region.unknown = true;
  region.unknown_reason = region.reason;

  const PredictionMessage message = predict(frame);

  EXPECT_EQ(message.status, PredictionMessage::UNKNOWN);
  EXPECT_EQ(message.reason, "the density is not finite");
  EXPECT_EQ(message.class_id, -1);
  EXPECT_EQ(message.class_name, "");
  for (const double number :
       {message.posterior, message.log_likelihood, message.log_density, message.threshold,
        message.typicality}) {
    EXPECT_TRUE(std::isnan(number));
  }
  EXPECT_TRUE(message.scores.empty());
  EXPECT_TRUE(message.evidence.empty());
  EXPECT_TRUE(evidence_message(frame, region).maps.empty());
  EXPECT_TRUE(classification_message(frame, region).results.empty());
  const auto flag = ood_message(frame, region);
  EXPECT_TRUE(flag.unknown);
  EXPECT_TRUE(std::isnan(flag.log_density));
  EXPECT_TRUE(std::isnan(flag.threshold));
  EXPECT_TRUE(std::isnan(flag.typicality));
}

TEST(PredictionMessages, SharesStayWithinZeroAndOne)
{
  FramePrediction frame = known_wren();
  Prediction & prediction = frame.regions[0].prediction;
  prediction.posterior[1] = 1.0000001f;
  prediction.evidence[0].contribution = 1.0000002f;
  prediction.evidence[1].contribution = NAN;

  const PredictionMessage message = predict(frame);

  EXPECT_EQ(message.posterior, 1);
  EXPECT_EQ(message.scores[0].posterior, 1);
  EXPECT_EQ(message.evidence[0].contribution, 1);
  EXPECT_TRUE(std::isnan(message.evidence[1].contribution));
  EXPECT_EQ(classification_message(frame, frame.regions[0]).results[0].score, 1);
}

TEST(PredictionMessages, APredictionWhoseSizesDoNotFitIsNotReadBeyondThem)
{
  FramePrediction frame = known_wren();
  Prediction & prediction = frame.regions[0].prediction;
  prediction.class_id = 7;
  prediction.ranking = {7, 0, 3};
  prediction.posterior = {0.5f, 0.5f, NAN, 0.25f};
  prediction.log_likelihood.clear();
  prediction.map_rows = prediction.map_cols = 0;
  prediction.evidence = {evidence(1, 7, 0.5f, 3, 3)};

  const PredictionMessage message = predict(frame);

  EXPECT_EQ(message.class_name, "");
  EXPECT_TRUE(std::isnan(message.posterior));
  ASSERT_EQ(message.scores.size(), 3u);
  EXPECT_EQ(message.scores[2].class_id, 3);
  EXPECT_EQ(message.scores[2].class_name, "");
  EXPECT_TRUE(std::isnan(message.scores[0].posterior));
  EXPECT_TRUE(std::isnan(message.scores[0].log_likelihood));
  EXPECT_TRUE(std::isnan(message.evidence.at(0).x));
  const auto maps = evidence_message(frame, frame.regions[0]).maps;
  ASSERT_EQ(maps.size(), 1u);
  EXPECT_EQ(maps[0].rows * maps[0].cols, maps[0].likelihood.size());
  frame.model.reset();
  EXPECT_EQ(predict(frame).model_id, "");
}

TEST(PredictionMessages, ABoxThatReachesOutOfTheImageIsCutAtItsOrigin)
{
  FramePrediction frame = known_wren();
  frame.regions[0].region = {-10, -500, 30, 40};
  const PredictionMessage message = predict(frame);
  EXPECT_EQ(message.region.x_offset, 0u);
  EXPECT_EQ(message.region.width, 20u);
  EXPECT_EQ(message.region.y_offset, 0u);
  EXPECT_EQ(message.region.height, 0u);
}

TEST(PredictionMessages, TheFlagFollowsTheVerdictOverTime)
{
  FramePrediction frame = known_wren();
  RegionPrediction & region = frame.regions.front();
  EXPECT_FALSE(ood_message(frame, region).unknown);
  region.unknown = true;
  region.unknown_reason = "only 1 of 3 known images in a row";

  const auto flag = ood_message(frame, region);

  EXPECT_TRUE(flag.unknown);
  EXPECT_EQ(flag.reason, "only 1 of 3 known images in a row");
  EXPECT_EQ(flag.header, header_message(frame.header));
  EXPECT_EQ(flag.log_density, -11);
  EXPECT_EQ(flag.score, -20);
  EXPECT_EQ(flag.threshold, -30);
  EXPECT_EQ(flag.p_parts, 0.2);
  EXPECT_EQ(flag.typicality, 0.5);
  EXPECT_EQ(flag.region.width, 80u);
  EXPECT_EQ(flag.detection_id, "7");
  EXPECT_EQ(flag.model_id, "birds@12ab");
  EXPECT_EQ(predict(frame).status, PredictionMessage::KNOWN)
    << "the prediction is about this image alone";
}

TEST(PredictionMessages, MapsGoWithThePartOfTheImageThatTheyCover)
{
  const FramePrediction frame = known_wren();

  const auto message = evidence_message(frame, frame.regions[0]);

  EXPECT_EQ(message.header, header_message(frame.header));
  EXPECT_EQ(message.detection_id, "7");
  EXPECT_EQ(message.model_id, "birds@12ab");
  ASSERT_EQ(message.maps.size(), 2u);
  const auto & map = message.maps.front();
  EXPECT_EQ(map.prototype, 4);
  EXPECT_EQ(map.class_id, 1);
  EXPECT_EQ(map.rows, 2u);
  EXPECT_EQ(map.cols, 3u);
  EXPECT_EQ(map.likelihood, frame.regions[0].prediction.evidence[0].map);
  EXPECT_EQ(map.x, 100);
  EXPECT_EQ(map.y, 50);
  EXPECT_EQ(map.width, 60);
  EXPECT_EQ(map.height, 40);
}

TEST(PredictionMessages, AClassificationNumbersItsClassesByFallingScore)
{
  const FramePrediction frame = known_wren();

  const auto message = classification_message(with_top_k(frame, 2), frame.regions[0]);

  EXPECT_EQ(message.header, header_message(frame.header));
  ASSERT_EQ(message.results.size(), 2u);
  EXPECT_EQ(message.results[0].class_id, "1");
  EXPECT_FLOAT_EQ(message.results[0].score, 0.7f);
  EXPECT_EQ(message.results[1].class_id, "0");
}

TEST(PredictionMessages, StandardMessagesNameNoClassUnlessItIsKnown)
{
  for (const Verdict verdict : {Verdict::unknown, Verdict::uncalibrated, Verdict::known}) {
    FramePrediction frame = known_wren();
    RegionPrediction & region = frame.regions.front();
    region.prediction.verdict = verdict;
    region.unknown = verdict == Verdict::known;  // not for long enough

    EXPECT_TRUE(classification_message(frame, region).results.empty());
    const auto message = detections_message(frame);
    ASSERT_EQ(message.detections.size(), 1u);
    EXPECT_TRUE(message.detections[0].results.empty());
    EXPECT_EQ(predict(frame).class_name, "wren") << "here the status says what to think of it";
  }
  FramePrediction frame = known_wren();
  frame.regions[0].prediction.verdict = Verdict::uncalibrated;
  EXPECT_EQ(predict(frame).status, PredictionMessage::UNCALIBRATED);
}

TEST(PredictionMessages, EveryRegionIsADetectionWithItsOwnBox)
{
  FramePrediction frame = known_wren();
  frame.regions.push_back(frame.regions.front());
  frame.regions[1].region = {0, 3, 5, 7};
  frame.regions[1].detection_id = "8";
  frame.regions[1].unknown = true;

  const auto message = detections_message(with_top_k(frame, 1));

  EXPECT_EQ(message.header, header_message(frame.header));
  ASSERT_EQ(message.detections.size(), 2u);
  const auto & first = message.detections[0];
  EXPECT_EQ(first.header, message.header);
  EXPECT_EQ(first.id, "7");
  EXPECT_EQ(first.bbox.center.position.x, 130);
  EXPECT_EQ(first.bbox.center.position.y, 70);
  EXPECT_EQ(first.bbox.size_x, 80);
  EXPECT_EQ(first.bbox.size_y, 60);
  ASSERT_EQ(first.results.size(), 1u);
  EXPECT_EQ(first.results[0].hypothesis.class_id, "1");
  const auto & second = message.detections[1];
  EXPECT_EQ(second.id, "8");
  EXPECT_EQ(second.bbox.center.position.x, 2.5);
  EXPECT_EQ(second.bbox.size_y, 7);
  EXPECT_TRUE(second.results.empty());

  frame.regions.clear();
  EXPECT_TRUE(detections_message(frame).detections.empty());
}

}  // namespace
}  // namespace mgproto::messages
