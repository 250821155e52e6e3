// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// All questions in one score, what it promises, and the reasons in words.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "model/decision.hpp"
#include "model/joint_score.hpp"
#include "model/reason_text.hpp"

namespace mgproto
{
namespace
{

constexpr std::size_t index_of(Question question) { return static_cast<std::size_t>(question); }

/// Answers of known images, each question on a scale of its own.
class KnownImages
{
public:
  Answers operator()()
  {
    const double shared = normal_(random_);  // a hard image is hard for all questions
    return {
      -30 + 4 * (shared + normal_(random_)), -1 + 0.3 * (shared + normal_(random_)),
      60 + 15 * normal_(random_), -45 + 2 * normal_(random_)};
  }

private:
  std::mt19937 random_{1};
  std::normal_distribution<double> normal_;
};

Calibration joint_calibration(KnownImages & known, int images, double tpr)
{
  Calibration calibration;
  calibration.tpr = tpr;
  calibration.criterion = Criterion::joint;
  std::vector<Answers> answers;
  for (int i = 0; i < images; ++i) {
    answers.push_back(known());
  }
  set_answers(calibration, std::move(answers));
  calibration.log_density = calibration.by_question[0];
  return calibration;
}

Prediction decided(
  const Answers & answers, const Calibration & calibration, const DecisionRequest & request = {})
{
  Prediction prediction;
  prediction.posterior = {0.1f, 0.7f, 0.2f};
  prediction.log_density = static_cast<float>(answers[0]);
  prediction.answers = answers;
  prediction.missing = {3, 5};
  decide(prediction, calibration, request);
  return prediction;
}

Manifest manifest()
{
  Manifest result;
  result.classes = {"Gull", "Flicker", "Wren"};
  result.prototype_class = {0, 0, 1, 1, 1, 1, 2, 2};
  return result;
}

TEST(JointScore, HasTheValuesOfTheNormalDistribution)
{
  // Mean 0, deviation 1 in every question.
  const JointScore score({{-1, -1, -1, -1}, {1, 1, 1, 1}});
  const double half = std::log(0.5);
  const double at_two = 2 * std::log(0.97724986805182079);  // twice log Phi(2)
  EXPECT_NEAR(score({0, 0, 0, 0}), 3 * half + at_two, 1e-12);
  EXPECT_NEAR(score.terms({-3, 0, 0, 0})[0], std::log(0.0013498980316300946), 1e-10);
  EXPECT_NEAR(score.terms({0, 0, 0, -2})[3], 2 * half, 1e-12);
}

TEST(JointScore, FallsWithEveryAnswerAndIsFiniteForAnyFiniteOne)
{
  KnownImages known;
  const Calibration calibration = joint_calibration(known, 40, 0.9);
  const JointScore score(calibration.answers);
  const Answers usual = known();
  for (std::size_t q = 0; q < kQuestions; ++q) {
    double last = score(usual);
    for (const double lower : {10., 100., 200., 1e4, 1e9, 1e100}) {
      Answers answers = usual;
      answers[q] -= lower;
      EXPECT_LT(score(answers), last) << q << " " << lower;
      EXPECT_TRUE(std::isfinite(score(answers))) << q << " " << lower;
      last = score(answers);
    }
  }
}

TEST(JointScore, TheDistanceIsHeardOnlyWhenItIsFarOff)
{
  const JointScore score({{-1, -1, -1, -1}, {1, 1, 1, 1}});
  const double low = score.terms({0, -1, 0, 0})[1] - score.terms({0, 0, 0, 0})[1];
  const double far = score.terms({0, 0, 0, -1})[3] - score.terms({0, 0, 0, 0})[3];
  EXPECT_LT(low, 3.5 * far);
  EXPECT_LT(score.terms({0, 0, 0, -8})[3], score.terms({0, -8, 0, 0})[1] * 0.9);
}

TEST(JointScore, ImagesThatAllAnswerAlikeDoNotBreakIt)
{
  const std::vector<Answers> alike(20, Answers{-3, -1, 7, -4});
  const JointScore score(alike);
  EXPECT_TRUE(std::isfinite(score(alike.front())));
  EXPECT_LT(score({-3.1, -1, 7, -4}), score(alike.front()));
  EXPECT_EQ(calibration_scores(alike).size(), alike.size());
}

/// What leaving out is for: a calibration image must not have been seen by its own score.
TEST(JointScore, AcceptsTheAskedShareOfImagesInTheMeanOverCalibrations)
{
  KnownImages known;
  for (const double tpr : {0.8, 0.95}) {
    for (const int images : {19, 60}) {
      constexpr int kCalibrations = 400;
      constexpr int kNew = 50;
      int accepted = 0;
      for (int i = 0; i < kCalibrations; ++i) {
        const Calibration calibration = joint_calibration(known, images, tpr);
        const JointScore score(calibration.answers);
        const double threshold = threshold_for(calibration);
        for (int n = 0; n < kNew; ++n) {
          accepted += score(known()) >= threshold ? 1 : 0;
        }
      }
      EXPECT_GE(accepted / double{kCalibrations * kNew}, tpr - 0.006) << tpr << " " << images;
    }
  }
}

TEST(JointDecision, IsTheCheckpointsUnlessLogDensityIsAskedFor)
{
  KnownImages known;
  const Calibration calibration = joint_calibration(known, 99, 0.95);
  const Answers strange{-30, -1, 60, -90};  // log p(x) sees nothing of it
  const Prediction joint = decided(strange, calibration);
  EXPECT_EQ(joint.criterion, Criterion::joint);
  EXPECT_EQ(joint.verdict, Verdict::unknown);
  EXPECT_EQ(joint.weakest, Question::distance);
  EXPECT_LT(joint.p_values[index_of(Question::distance)], 0.011);
  EXPECT_GT(joint.p_values[index_of(Question::density)], 0.1);
  EXPECT_EQ(joint.log_density, -30);

  const Prediction paper = decided(strange, calibration, {0, Criterion::log_density});
  EXPECT_EQ(paper.criterion, Criterion::log_density);
  EXPECT_EQ(paper.verdict, Verdict::known);
  EXPECT_EQ(paper.score, -30);
  EXPECT_TRUE(std::isnan(paper.p_values[index_of(Question::distance)]));
}

TEST(JointDecision, AModelWithoutOtherQuestionsDecidesByLogDensity)
{
  const Calibration calibration{0.5, {-3, 0}};
  const Prediction prediction = decided({-1, NAN, NAN, NAN}, calibration, {0, Criterion::joint});
  EXPECT_EQ(prediction.criterion, Criterion::log_density);
  EXPECT_EQ(prediction.verdict, Verdict::known);
}

TEST(JointDecision, AnAnswerThatIsNotFiniteIsUnknown)
{
  KnownImages known;
  const Calibration calibration = joint_calibration(known, 40, 0.9);
  for (std::size_t q = 1; q < kQuestions; ++q) {
    for (const double bad : {NAN, -INFINITY}) {
      Answers answers = known();
      answers[q] = bad;
      const Prediction prediction = decided(answers, calibration);
      EXPECT_EQ(prediction.verdict, Verdict::unknown) << q << " " << bad;
    }
  }
}

TEST(Reason, NamesTheQuestionThatFailedAndWhatItSaw)
{
  KnownImages known;
  const Calibration calibration = joint_calibration(known, 99, 0.95);
  const auto reason = [&](const Answers & answers) {
    const std::string text = reason_text(decided(answers, calibration), manifest());
    EXPECT_NE(text.find("; score "), std::string::npos) << text;
    EXPECT_NE(text.find(" is below the threshold "), std::string::npos) << text;
    return text.substr(0, text.find("; score "));
  };
  EXPECT_EQ(reason({-30, -4, 60, -45}), "2 of 4 parts of Flicker not found");
  EXPECT_EQ(reason({-30, -1, -60, -45}), "between Flicker and Wren");
  EXPECT_EQ(reason({-70, -1, 60, -45}).substr(0, 29), "fits no class (log p(x) -70, ");
  const double limit =
    decided({-30, -1, 60, -150}, calibration).limits[index_of(Question::distance)];
  EXPECT_EQ(
    reason({-30, -1, 60, 3 * limit}), "unlike anything in training (distance 3.0 x the limit)");
}

TEST(Reason, IsTheDistanceWhereThatAloneWouldDo)
{
  KnownImages known;
  const Calibration calibration = joint_calibration(known, 99, 0.95);
  const Prediction stripes = decided({-300, -40, -900, -150}, calibration);
  EXPECT_EQ(stripes.weakest, Question::distance);
  EXPECT_EQ(
    short_reason_text(stripes, manifest()),
    reason_text(stripes, manifest()).substr(0, reason_text(stripes, manifest()).find("; score ")));
}

TEST(Reason, ByLogDensityAloneIsANumberAndItsThreshold)
{
  Prediction prediction = decided({-4, NAN, NAN, NAN}, {0.5, {-3, 0}});
  EXPECT_EQ(reason_text(prediction, manifest()), "log p(x) -4 is below the threshold -3");
  prediction = decided({-1, NAN, NAN, NAN}, {0.5, {-3, 0}});
  EXPECT_EQ(reason_text(prediction, manifest()), "");
}

}  // namespace
}  // namespace mgproto
