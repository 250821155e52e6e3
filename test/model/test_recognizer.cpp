// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// From 8-bit images to predictions with evidence, on the CPU.

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <opencv2/core.hpp>
#include <thread>

#include "demo_model.hpp"
#include "golden.hpp"
#include "mgproto_ros/error.hpp"
#include "mgproto_ros/recognizer.hpp"
#include "model/checkpoint.hpp"
#include "model/image_file.hpp"
#include "small_model.hpp"
#include "temporary_directory.hpp"

namespace mgproto
{
namespace
{

cv::Mat noise(int width, int height, int seed = 1)
{
  cv::Mat image(height, width, CV_8UC3);
  cv::RNG(seed).fill(image, cv::RNG::UNIFORM, 0, 256);
  return image;
}

class RecognizerTest : public ::testing::Test
{
protected:
  void save(const Manifest & manifest) { save_checkpoint(path, *test::small_network(), manifest); }
  void SetUp() override { save(test::small_manifest()); }

  test::TemporaryDirectory directory;
  std::string path = directory / "model.safetensors";
};

TEST_F(RecognizerTest, PosteriorAndContributionsSumToOne)
{
  Recognizer recognizer(path);
  const cv::Mat image = noise(101, 77);
  EvidenceRequest request;
  request.top_classes = 3;

  const Prediction answer = recognizer.recognize(view_of(image), request);

  EXPECT_NEAR(std::accumulate(answer.posterior.begin(), answer.posterior.end(), 0.0), 1, 1e-5);
  ASSERT_EQ(answer.evidence.size(), 6u);  // all prototypes of all classes
  std::vector<double> share(3, 0.0);
  for (const auto & evidence : answer.evidence) {
    share[evidence.class_id] += evidence.contribution;
    ASSERT_EQ(evidence.map.size(), static_cast<std::size_t>(answer.map_rows * answer.map_cols));
    const float at_maximum = evidence.map[evidence.row * answer.map_cols + evidence.col];
    EXPECT_NEAR(at_maximum, std::exp(evidence.log_likelihood), 1e-5);
    EXPECT_FLOAT_EQ(at_maximum, *std::max_element(evidence.map.begin(), evidence.map.end()));
    EXPECT_GE(evidence.box.x, 0);
    EXPECT_LE(evidence.box.x + evidence.box.width, 101);
    EXPECT_LE(evidence.box.y + evidence.box.height, 77);
  }
  for (const double sum : share) {
    EXPECT_NEAR(sum, 1, 1e-4);
  }
  // The most probable class first, its prototypes by falling contribution.
  EXPECT_EQ(answer.evidence.front().class_id, answer.class_id);
  for (std::size_t i = 1; i < answer.evidence.size(); ++i) {
    if (answer.evidence[i].class_id == answer.evidence[i - 1].class_id) {
      EXPECT_LE(answer.evidence[i].contribution, answer.evidence[i - 1].contribution);
    }
  }
}

TEST_F(RecognizerTest, ContributionsAreThoseOfTheHead)
{
  Recognizer recognizer(path);
  EvidenceRequest request;
  request.top_classes = 3;
  const Prediction prediction = recognizer.recognize(view_of(noise(64, 64)), request);
  torch::Tensor log_likelihood = torch::zeros({1, 6});
  for (const PrototypeEvidence & evidence : prediction.evidence) {
    log_likelihood[0][evidence.prototype] = evidence.log_likelihood;
  }
  const auto network = test::small_network();

  const torch::Tensor shares = network->gaussian_head().contributions(log_likelihood);

  ASSERT_EQ(shares.sizes(), log_likelihood.sizes());
  for (const PrototypeEvidence & evidence : prediction.evidence) {
    EXPECT_EQ(evidence.contribution, shares[0][evidence.prototype].item<float>());
    EXPECT_NEAR(
      evidence.contribution,
      evidence.prior *
        std::exp(evidence.log_likelihood - prediction.log_likelihood[evidence.class_id]),
      1e-6);
  }
}

TEST_F(RecognizerTest, ABatchAnswersAsItsImagesAlone)
{
  Recognizer recognizer(path);
  const std::vector<cv::Mat> images{noise(64, 48, 1), noise(31, 97, 2), noise(200, 200, 3)};
  std::vector<ImageView> views;
  for (const auto & image : images) {
    views.push_back(view_of(image));
  }
  EvidenceRequest request;
  request.top_classes = 1;

  const std::vector<Prediction> together = recognizer.recognize(views, request);

  ASSERT_EQ(together.size(), 3u);
  for (std::size_t i = 0; i < images.size(); ++i) {
    const Prediction alone = recognizer.recognize(views[i], request);
    EXPECT_NEAR(together[i].log_density, alone.log_density, 1e-4);
    EXPECT_EQ(together[i].class_id, alone.class_id);
    EXPECT_EQ(together[i].evidence.size(), alone.evidence.size());
    EXPECT_EQ(together[i].evidence[0].box, alone.evidence[0].box);
  }
  EXPECT_TRUE(recognizer.recognize(std::vector<ImageView>()).empty());
}

TEST_F(RecognizerTest, TheSameImageGivesTheSameBitsAgain)
{
  Recognizer recognizer(path);
  const cv::Mat image = noise(64, 64);
  const Prediction first = recognizer.recognize(view_of(image));
  recognizer.recognize(view_of(noise(300, 200, 9)));
  EXPECT_EQ(first.log_likelihood, recognizer.recognize(view_of(image)).log_likelihood);
}

TEST(RecognizerOfTheDemo, TwoOfThemGiveTheSameBits)
{
  std::vector<std::vector<Prediction>> runs;
  for (int run = 0; run < 2; ++run) {
    Recognizer recognizer(test::kDemoModel);
    runs.emplace_back();
    for (int i = 0; i < 5; ++i) {
      EvidenceRequest request;
      request.top_classes = 2;
      runs.back().push_back(recognizer.recognize(view_of(noise(120, 90, i)), request));
    }
  }
  for (std::size_t i = 0; i < runs[0].size(); ++i) {
    const Prediction &a = runs[0][i], &b = runs[1][i];
    EXPECT_EQ(a.log_density, b.log_density);
    EXPECT_EQ(a.log_likelihood, b.log_likelihood);
    EXPECT_EQ(a.posterior, b.posterior);
    ASSERT_EQ(a.evidence.size(), b.evidence.size());
    for (std::size_t k = 0; k < a.evidence.size(); ++k) {
      EXPECT_EQ(a.evidence[k].contribution, b.evidence[k].contribution);
      EXPECT_EQ(a.evidence[k].map, b.evidence[k].map);
    }
  }
}

TEST(RecognizerOfTheDemo, TakesOneThreadForAnImageAndAllCoresForManyAtOnce)
{
  const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  Recognizer recognizer(test::kDemoModel);
  const cv::Mat image = noise(96, 96);
  recognizer.recognize(view_of(image));
  EXPECT_EQ(torch::get_num_threads(), 1);
  recognizer.recognize(std::vector<ImageView>(16, view_of(image)));
  EXPECT_EQ(torch::get_num_threads(), cores);
  recognizer.recognize(view_of(image));
  EXPECT_EQ(torch::get_num_threads(), 1);
}

TEST(MultiplyAdds, OfAResNet18AreThePublishedOnes)
{
  ModelConfig config;
  config.backbone.architecture = "resnet18";
  config.backbone.stem_pool = true;
  Network network(config, nullptr);
  network.prepare_for_inference();
  network.backbone_map(torch::zeros({2, 3, 224, 224}));
  // 1.814e9 with torchvision's classifier, which has 512 * 1000 of them.
  EXPECT_EQ(network.multiply_adds(), 1813561344);
}

TEST_F(RecognizerTest, OnlyTheEvidenceAskedForIsCollected)
{
  Recognizer recognizer(path);
  const cv::Mat image = noise(64, 64);
  EXPECT_TRUE(recognizer.recognize(view_of(image)).evidence.empty());

  EvidenceRequest request;
  request.classes = {1};
  EXPECT_EQ(recognizer.recognize(view_of(image), request).evidence.size(), 3u);
  request.prototypes_per_class = 1;
  const Prediction answer = recognizer.recognize(view_of(image), request);
  ASSERT_EQ(answer.evidence.size(), 1u);
  EXPECT_EQ(answer.evidence[0].class_id, 1);

  request.classes = {3};
  EXPECT_THROW(recognizer.recognize(view_of(image), request), ConfigError);
}

TEST(RecognizerOfTheDemo, LimitedEvidenceIsOfDifferentPlaces)
{
  Recognizer recognizer(test::kDemoModel);
  EvidenceRequest request;
  request.top_classes = 1;
  request.prototypes_per_class = 1000;
  for (int seed = 0; seed < 5; ++seed) {
    const Prediction prediction = recognizer.recognize(view_of(noise(120, 90, seed)), request);
    double sum = 0;
    for (const PrototypeEvidence & place : prediction.evidence) {
      sum += place.contribution;
      for (const PrototypeEvidence & other : prediction.evidence) {
        const int apart =
          std::max(std::abs(place.row - other.row), std::abs(place.col - other.col));
        EXPECT_TRUE(&place == &other || apart >= 2);
      }
    }
    EXPECT_NEAR(sum, 1, 1e-4);
  }
}

TEST_F(RecognizerTest, TheThresholdDecidesAndTypicalityIsReported)
{
  const cv::Mat image = noise(64, 64);
  const float log_density = Recognizer(path).recognize(view_of(image)).log_density;
  EXPECT_EQ(Recognizer(path).recognize(view_of(image)).verdict, Verdict::uncalibrated);

  Manifest manifest = test::small_manifest();
  manifest.calibration = test::small_calibration(log_density - 0.5);
  save(manifest);
  Prediction answer = Recognizer(path).recognize(view_of(image));
  EXPECT_EQ(answer.verdict, Verdict::known);
  EXPECT_FLOAT_EQ(*answer.typicality, 3.0f / 5);  // two of four are no higher

  manifest.calibration = test::small_calibration(log_density + 0.5);
  save(manifest);
  Recognizer strict(path);
  answer = strict.recognize(view_of(image));
  EXPECT_EQ(answer.verdict, Verdict::unknown);
  EXPECT_EQ(answer.reason, Reason::below_threshold);
  EXPECT_EQ(answer.threshold, log_density + 0.5);
  // A threshold that all calibration images reach lets this one pass, too.
  answer = strict.recognize(view_of(image), {}, {0.8, {}});
  EXPECT_EQ(answer.verdict, Verdict::known);
  EXPECT_EQ(answer.threshold, manifest.calibration->log_density.front());
  // More cannot be promised by four images.
  EXPECT_EQ(strict.recognize(view_of(image), {}, {0.81, {}}).verdict, Verdict::uncalibrated);
}

TEST_F(RecognizerTest, WeightsThatOverflowGiveUnknownNotAClass)
{
  auto network = test::small_network();
  network->named_parameters()["add_on.0.weight"].data().fill_(1e38f);
  network->named_parameters()["add_on.1.weight"].data().fill_(1e38f);
  Manifest manifest = test::small_manifest();
  manifest.calibration = test::small_calibration(-100);
  save_checkpoint(path, *network, manifest);

  Recognizer recognizer(path);
  EvidenceRequest request;
  request.top_classes = 1;
  const Prediction answer = recognizer.recognize(view_of(noise(64, 64)), request);

  EXPECT_EQ(answer.class_id, -1);
  EXPECT_EQ(answer.verdict, Verdict::unknown);
  EXPECT_EQ(answer.reason, Reason::not_finite);
  EXPECT_TRUE(answer.evidence.empty());
  request.classes = {1};  // its shares are not finite, either
  EXPECT_EQ(recognizer.recognize(view_of(noise(64, 64)), request).evidence.size(), 3u);
}

TEST_F(RecognizerTest, ABadImageIsAnErrorAndTheNextOneWorks)
{
  Recognizer recognizer(path);
  EXPECT_THROW(recognizer.recognize(ImageView{}), ImageError);
  EXPECT_EQ(recognizer.recognize(view_of(noise(1, 1))).posterior.size(), 3u);
}

TEST_F(RecognizerTest, ThreadsAreHonouredOnTheCallingThread)
{
  Recognizer::Options options;
  options.num_threads = 1;
  Recognizer recognizer(path, options);
  std::thread([&] {
    torch::set_num_threads(2);
    recognizer.recognize(view_of(noise(64, 64)));
    EXPECT_EQ(torch::get_num_threads(), 1);
  }).join();
}

TEST_F(RecognizerTest, DevicesAreCheckedBeforeTheFile)
{
  EXPECT_EQ(Recognizer(path).device().substr(0, 3), torch::cuda::is_available() ? "cud" : "cpu");
  Recognizer::Options options;
  options.device = "tpu";
  EXPECT_THROW(Recognizer(path, options), ConfigError);
  options.device = "cuda:x";
  EXPECT_THROW(Recognizer(path, options), ConfigError);
  options.device = "cuda:99";
  try {
    Recognizer recognizer(path, options);
    FAIL();
  } catch (const DeviceError & error) {
    EXPECT_NE(std::string(error.what()).find("cuda:99"), std::string::npos);
  }
  options = {};
  options.num_threads = -1;
  EXPECT_THROW(Recognizer(path, options), ConfigError);
  if (!torch::cuda::is_available()) {
    options = {};
    options.half = true;
    EXPECT_THROW(Recognizer(path, options), ConfigError);
  }
}

TEST_F(RecognizerTest, ABackboneAloneCannotRecognise)
{
  Network network(test::small_config(), nullptr);
  save_checkpoint(path, network, Manifest());
  EXPECT_THROW(Recognizer{path}, FileError);
}

TEST_F(RecognizerTest, AnInputTooSmallForTheNetworkIsSaidAtLoading)
{
  Manifest manifest = test::small_manifest();
  manifest.preprocessing.size = 4;
  ModelConfig config;
  config.backbone.architecture = "vgg16";
  config.head.feature_dim = 2;
  Network network(config, std::make_shared<GaussianHead>(3, 1, config.head));
  save_checkpoint(path, network, manifest);
  try {
    Recognizer recognizer(path);
    FAIL();
  } catch (const FileError & error) {
    EXPECT_NE(std::string(error.what()).find("preprocessing.size"), std::string::npos)
      << error.what();
  }
}

}  // namespace
}  // namespace mgproto
