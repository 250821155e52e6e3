// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// Each measure of interpretability on maps made so that its value is known, and all of them on a
// few drawn birds. Not covered: the paper's figures, which need its data and weights.

#include <gtest/gtest.h>

#include <cmath>
#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>

#include "birds/birds_dataset.hpp"
#include "datasets/image.hpp"
#include "mgproto_ros/error.hpp"
#include "small_model.hpp"
#include "temporary_directory.hpp"
#include "training/measure/interpret/interpretability.hpp"
#include "training/measure/interpret/part_references.hpp"

namespace mgproto
{
namespace
{

/// A map [14, 14] with one peak. In an input of 224 px a cell is 16 px, so the up-sampled maximum
/// is one of the pixels beside the cell's centre, (16 * col + 8, 16 * row + 8).
torch::Tensor peak_at(int row, int col, float likelihood = 1)
{
  torch::Tensor map = torch::full({14, 14}, 0.1f * likelihood);
  map[row][col] = likelihood;
  return map;
}

/// A part in the middle of a cell, or so many pixels to its right.
PartLocation part_at(int part, int row, int col, double right = 0)
{
  return {part, 16.0 * col + 8 + right, 16.0 * row + 8};
}

ObservedImage observed(
  const std::vector<torch::Tensor> & maps, const std::vector<PartLocation> & parts)
{
  return {torch::stack(maps), 0, parts, 224};
}

TEST(ObservedImageTest, PartsComeInPixelsOfTheInputAndThoseOutsideItAreLeftOut)
{
  // 40x20 resized to 20x10, of which the 10 columns from 5 on are the input.
  const InputGeometry geometry{40, 20, 2, 2, 5, 0, 10};

  const auto parts = parts_in_input({{0, 12, 6}, {1, 9, 6}, {2, 30, 6}, {3, 29, 19}}, geometry);

  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].part, 0);
  EXPECT_DOUBLE_EQ(parts[0].x, 1);  // 12 / 2 - 5
  EXPECT_DOUBLE_EQ(parts[0].y, 3);
  EXPECT_EQ(parts[1].part, 3);
  EXPECT_DOUBLE_EQ(parts[1].x, 9.5);
}

TEST(ObservedImageTest, TheMaskIsCutAndScaledAsTheImage)
{
  const InputGeometry geometry{40, 20, 2, 2, 5, 0, 10};
  cv::Mat mask = cv::Mat::zeros(20, 40, CV_8U);
  mask(cv::Rect(10, 4, 4, 2)).setTo(255);  // input columns 0 and 1, row 2

  const cv::Mat seen = mask_in_input(mask, geometry);

  ASSERT_EQ(seen.size(), cv::Size(10, 10));
  EXPECT_EQ(cv::countNonZero(seen), 2);
  EXPECT_EQ(seen.at<std::uint8_t>(2, 0), 255);
  EXPECT_EQ(seen.at<std::uint8_t>(2, 1), 255);
  EXPECT_THROW(mask_in_input(cv::Mat::zeros(10, 10, CV_8U), geometry), ImageError);
}

TEST(ObservedImageTest, TheBoxGrowsWithTheInput)
{
  // Half a side is 36 px at 224. The maximum is within 1 px of the cell's centre.
  const torch::Tensor map = peak_at(7, 3);
  const ObservedImage paper = observed(
    {map}, {part_at(0, 7, 3, 34),
            part_at(1, 7, 3, 38),
            part_at(2, 7, 3, -34),
            part_at(3, 7, 3, -38),
            {4, 56, 120 + 34.0},
            {5, 56, 120 + 38.0}});
  EXPECT_EQ(covered_parts(map, paper, kBoxHalfSize), (std::set<int>{0, 2, 4}));

  // Half the input, half the box: 18 px around (28, 60).
  const ObservedImage half{map.unsqueeze(0), 0, {{0, 44.5, 60}, {1, 48, 60}}, 112};
  EXPECT_EQ(covered_parts(map, half, kBoxHalfSize), (std::set<int>{0}));
}

TEST(ObservedImageTest, AMapThatIsNotANumberCountsAsZero)
{
  torch::Tensor map = torch::full({2, 2}, NAN);
  map[1][1] = 0.5f;
  const cv::Mat large = upsampled(map, 4);
  EXPECT_TRUE(cv::checkRange(large));
  EXPECT_GT(large.at<float>(3, 3), 0.4f);
}

TEST(ConsistencyTest, APrototypeThatFollowsOnePartIsConsistent)
{
  Consistency consistency(1, 2);
  for (int i = 0; i < 5; ++i) {
    // The other part is in the opposite corner.
    consistency.add(
      observed({peak_at(i, 2 * i)}, {part_at(0, i, 2 * i), part_at(1, 13 - i, 13 - 2 * i)}));
  }
  EXPECT_EQ(consistency.result(), 1.0);
}

TEST(ConsistencyTest, FourOfFiveImagesAreEnoughAndHalfOfThemAreNot)
{
  Consistency consistency(2, 1);
  for (int i = 0; i < 10; ++i) {
    // The first prototype misses the part in 2 images of 10, the second in 5.
    consistency.add(observed(
      {i < 8 ? peak_at(2, 2) : peak_at(12, 12), i < 5 ? peak_at(2, 2) : peak_at(12, 12)},
      {part_at(0, 2, 2)}));
  }
  EXPECT_EQ(consistency.result(), 0.5);
}

TEST(ConsistencyTest, OnlyImagesInWhichThePartIsAnnotatedCount)
{
  Consistency consistency(1, 2);
  for (int i = 0; i < 5; ++i) {
    consistency.add(observed({peak_at(2, 2)}, {part_at(0, 2, 2)}));
    // Part 0 is hidden here, part 1 is never covered.
    consistency.add(observed({peak_at(2, 2)}, {part_at(1, 12, 12)}));
  }
  EXPECT_EQ(consistency.result(), 1.0);
}

TEST(ConsistencyTest, PrototypesOfClassesWithoutPartsAreNotMeasured)
{
  Consistency consistency(3, 1);
  EXPECT_FALSE(consistency.result());
  consistency.add(observed({peak_at(2, 2)}, {}));
  EXPECT_FALSE(consistency.result());

  ObservedImage image = observed({peak_at(2, 2)}, {part_at(0, 2, 2)});
  image.first_prototype = 2;
  consistency.add(image);
  EXPECT_EQ(consistency.result(), 1.0);  // of the one that was measured
}

TEST(StabilityTest, NoiseThatMovesNothingIsStable)
{
  Stability stability(1);
  const ObservedImage image = observed({peak_at(2, 2)}, {part_at(0, 2, 2), part_at(1, 9, 9)});
  stability.add(image, image.maps);
  // One cell further the box holds the same part.
  stability.add(image, peak_at(2, 3).unsqueeze(0));
  EXPECT_EQ(stability.result(), 1.0);
}

TEST(StabilityTest, IsTheShareOfImagesWithAnUnchangedSetOfParts)
{
  Stability stability(2);
  const ObservedImage image =
    observed({peak_at(2, 2), peak_at(2, 2)}, {part_at(0, 2, 2), part_at(1, 9, 9)});
  const torch::Tensor still = peak_at(2, 2), away = peak_at(9, 9), nowhere = peak_at(2, 13);
  stability.add(image, torch::stack({still, still}));
  stability.add(image, torch::stack({away, still}));     // another part
  stability.add(image, torch::stack({nowhere, still}));  // no part
  stability.add(image, torch::stack({still, away}));
  // 2 of 4 and 3 of 4 images.
  EXPECT_EQ(stability.result(), 0.625);
}

TEST(StabilityTest, ImagesWithoutPartsAreLeftOut)
{
  Stability stability(1);
  stability.add(observed({peak_at(2, 2)}, {}), peak_at(9, 9).unsqueeze(0));
  EXPECT_FALSE(stability.result());
}

TEST(StabilityTest, NoiseIsClippedAndTheSameForTheSameKey)
{
  const torch::Tensor image = torch::full({3, 100, 100}, 0.5f);

  const torch::Tensor noise = with_noise(image, Random{7, 3}) - image;

  // Of N(0, 0.2^2) 21.1 % lie beyond 0.25; clipped its standard deviation is 0.1628.
  EXPECT_LE(noise.abs().max().item<float>(), 0.25f + 1e-6f);
  EXPECT_NEAR((noise.abs() > 0.2499f).to(torch::kFloat32).mean().item<float>(), 0.211, 0.01);
  EXPECT_NEAR(noise.mean().item<float>(), 0, 0.004);
  EXPECT_NEAR(noise.std().item<float>(), 0.1628, 0.003);
  EXPECT_TRUE(torch::equal(with_noise(image, Random{7, 3}), with_noise(image, Random{7, 3})));
  EXPECT_FALSE(torch::equal(with_noise(image, Random{7, 3}), with_noise(image, Random{7, 4})));
  EXPECT_EQ(image.max().item<float>(), 0.5f);  // the image itself is left alone
}

TEST(PurityTest, APrototypeThatFiresOnOnePartIsPure)
{
  Purity purity(1);
  for (int i = 0; i < 12; ++i) {
    purity.add(observed({peak_at(i, i)}, {part_at(0, i, i), part_at(1, 13 - i, 0)}));
  }
  ASSERT_TRUE(purity.result());
  EXPECT_DOUBLE_EQ(purity.result()->mean, 1);
  EXPECT_DOUBLE_EQ(purity.result()->deviation, 0);
}

TEST(PurityTest, TheTenMostActivatingPatchesCountAndNoOthers)
{
  Purity purity(2);
  const std::vector<PartLocation> parts = {part_at(0, 2, 2), part_at(1, 9, 9)};
  for (int i = 0; i < 30; ++i) {
    // The first prototype's ten best are images 0, 3, ... 27: 7 on part 0 and 3 on part 1. All its
    // weak ones are on part 1. The second is always on part 0.
    const bool strong = i % 3 == 0;
    const bool on_first = strong && i < 21;
    purity.add(observed(
      {on_first ? peak_at(2, 2, 0.9f - 0.01f * i) : peak_at(9, 9, strong ? 0.9f : 0.3f),
       peak_at(2, 2)},
      parts));
  }
  ASSERT_TRUE(purity.result());
  // Shares 0.7 and 1.
  EXPECT_DOUBLE_EQ(purity.result()->mean, 0.85);
  EXPECT_NEAR(purity.result()->deviation, 0.15, 1e-12);
}

TEST(PurityTest, APatchIs32PixelsWide)
{
  Purity purity(1);
  // 14 px beside the centre is inside, 18 px is not.
  purity.add(observed({peak_at(2, 2)}, {part_at(0, 2, 2, 14)}));
  purity.add(observed({peak_at(2, 2)}, {part_at(0, 2, 2, 18)}));
  ASSERT_TRUE(purity.result());
  EXPECT_DOUBLE_EQ(purity.result()->mean, 0.5);
}

TEST(PurityTest, ImagesWithoutPartsAreLeftOut)
{
  Purity purity(1);
  purity.add(observed({peak_at(2, 2)}, {}));
  EXPECT_FALSE(purity.result());
}

class ObjectImbalanceTest : public ::testing::Test
{
protected:
  /// Maps of the input's own size, so that up-sampling changes nothing: 8x8, the left two columns
  /// are the object.
  ObjectImbalanceTest() : mask(cv::Mat::zeros(8, 8, CV_8U)) { mask.colRange(0, 2).setTo(255); }

  static torch::Tensor map(float object, float background)
  {
    torch::Tensor result = torch::full({8, 8}, background);
    result.slice(1, 0, 2).fill_(object);
    return result;
  }

  cv::Mat mask;
  ObjectImbalance imbalance;
};

TEST_F(ObjectImbalanceTest, APrototypeThatFiresOnTheBackgroundIsAboveOne)
{
  imbalance.add(map(0.2f, 0.8f).unsqueeze(0), mask);
  ASSERT_TRUE(imbalance.result());
  EXPECT_NEAR(*imbalance.result(), 4, 1e-6);
}

TEST_F(ObjectImbalanceTest, DividesMeansOverPrototypesAndImages)
{
  // Outside (0.5 + 0.1) / 2 and 0.1, inside (0.5 + 0.9) / 2 and 0.9: 0.4 / 1.6.
  imbalance.add(torch::stack({map(0.5f, 0.5f), map(0.9f, 0.1f)}), mask);
  imbalance.add(map(0.9f, 0.1f).unsqueeze(0), mask);
  ASSERT_TRUE(imbalance.result());
  EXPECT_NEAR(*imbalance.result(), 0.25, 1e-6);
}

TEST_F(ObjectImbalanceTest, NothingIsSaidWithoutAnObjectABackgroundOrAnActivation)
{
  imbalance.add(map(0.2f, 0.8f).unsqueeze(0), cv::Mat::zeros(8, 8, CV_8U));
  imbalance.add(map(0.2f, 0.8f).unsqueeze(0), cv::Mat::ones(8, 8, CV_8U));
  imbalance.add(map(0, 0).unsqueeze(0), mask);
  EXPECT_FALSE(imbalance.result());
}

class DaucTest : public ::testing::Test
{
protected:
  /// p(class 1) is the mean of the given columns of an image of 4x10 pixels.
  static Dauc::Posteriors mean_of_columns(int begin, int end)
  {
    return [=](const torch::Tensor & images) {
      const torch::Tensor p = images.slice(3, begin, end).mean({1, 2, 3});
      return torch::stack({1 - p, p}, 1);
    };
  }

  /// The first column is the most important, the last one the least.
  DaucTest() : importance(4, 10, CV_32F)
  {
    for (int x = 0; x < 10; ++x) {
      importance.col(x).setTo(1.0 - 0.1 * x);
    }
  }

  torch::Tensor image = torch::ones({3, 4, 10});
  cv::Mat importance;
};

TEST_F(DaucTest, OfAPosteriorThatFallsLinearlyIsOneHalf)
{
  Dauc dauc(mean_of_columns(0, 10), {0, 0, 0});
  dauc.add(image, importance);
  ASSERT_TRUE(dauc.result());
  EXPECT_NEAR(*dauc.result(), 0.5, 1e-6);
}

TEST_F(DaucTest, DeletesTheMostImportantPixelsFirst)
{
  // A step deletes 2 of 40 pixels: the first column is gone after two of 20 steps. p is 1, 0.5, 0:
  // (0.75 + 0.25) / 20. The last column is intact up to step 18: 1 - 0.05.
  Dauc first(mean_of_columns(0, 1), {0, 0, 0});
  first.add(image, importance);
  EXPECT_NEAR(first.result().value(), 0.05, 1e-6);

  Dauc last(mean_of_columns(9, 10), {0, 0, 0});
  last.add(image, importance);
  EXPECT_NEAR(last.result().value(), 0.95, 1e-6);
}

TEST_F(DaucTest, FillsWithTheGivenColour)
{
  // The mean over channels falls from 1 to 0.25.
  Dauc dauc(mean_of_columns(0, 10), {0.5f, 0.25f, 0});
  dauc.add(image, importance);
  EXPECT_NEAR(dauc.result().value(), 0.625, 1e-6);
}

TEST_F(DaucTest, IsTheMeanOverImagesWithAPosterior)
{
  Dauc dauc(mean_of_columns(0, 10), {0, 0, 0});
  EXPECT_FALSE(dauc.result());
  dauc.add(torch::full({3, 4, 10}, NAN), importance);
  EXPECT_FALSE(dauc.result());
  dauc.add(image, importance);
  // p(class 1) = 0.2 predicts class 0, whose p rises from 0.8 to 1.
  dauc.add(0.2 * image, importance);
  EXPECT_NEAR(dauc.result().value(), (0.5 + 0.9) / 2, 1e-6);
}

TEST(ImagenetMean, IsZeroInAnInputNormalisedByIt)
{
  PreprocessingConfig config;
  EXPECT_EQ(imagenet_mean(config), (std::array<float, 3>{0, 0, 0}));
  config.mean = {0, 0, 0};
  config.std = {0.5f, 0.5f, 0.5f};
  EXPECT_FLOAT_EQ(imagenet_mean(config)[0], 0.97f);
  EXPECT_FLOAT_EQ(imagenet_mean(config)[2], 0.812f);
}

TEST(Diversity, IsTheMeanDistanceWithinClasses)
{
  HeadConfig config;
  config.feature_dim = 2;
  const auto diversity_of = [&](const torch::Tensor & means, const std::vector<int> & classes) {
    return diversity(GaussianHead(means, torch::ones({means.size(0)}), classes, config));
  };
  const torch::Tensor x = torch::tensor({1.f, 0.f}), y = torch::tensor({0.f, 1.f});

  EXPECT_NEAR(diversity_of(torch::stack({x, y}), {0, 0}).value(), std::sqrt(2), 1e-12);
  // Pairs of the second class: sqrt 2, 2 and sqrt 2. The third class has no pair.
  EXPECT_NEAR(
    diversity_of(torch::stack({x, x, x, y, -x, y}), {0, 0, 1, 1, 1, 2}).value(),
    (2 * std::sqrt(2) + 2) / 3 / 2, 1e-12);
  EXPECT_FALSE(diversity_of(torch::stack({x, y}), {0, 1}));
}

/// Two classes with two parts, ten images each to learn from and to test on, all of 224 pixels.
class PartReferencesTest : public ::testing::Test
{
protected:
  PartReferencesTest()
  {
    dataset.classes = {"one", "two"};
    dataset.part_names = {"beak", "tail"};
    for (int i = 0; i < 20; ++i) {
      Sample sample;
      sample.label = i % 2;
      // Beaks wander along the left side, tails along the right one.
      sample.parts = {part_at(0, i % 14, 2), part_at(1, 13 - i % 14, 11)};
      dataset.samples.push_back(sample);
    }
  }

  /// Maps [D = 5, 14, 14] of all images: background, and at a part's cell its own vector. Of a blind
  /// network it is the class's, at every place.
  torch::Tensor maps(bool blind = false) const
  {
    std::vector<torch::Tensor> all;
    for (const Sample & sample : dataset.samples) {
      torch::Tensor map = torch::zeros({5, 14, 14});
      map[blind ? sample.label : 4].fill_(3);
      for (const PartLocation & part : sample.parts) {
        if (!blind) {
          map.slice(1, int(part.y / 16), int(part.y / 16) + 1)
            .slice(2, int(part.x / 16), int(part.x / 16) + 1)
            .zero_();
          map[2 * sample.label + part.part][int(part.y / 16)][int(part.x / 16)] = 7;
        }
      }
      all.push_back(map);
    }
    return torch::stack(all);
  }

  PartReferences references(const torch::Tensor & z, const torch::Tensor & features) const
  {
    Batch batch;
    batch.count = static_cast<int>(dataset.size());
    for (std::int64_t i = 0; i < dataset.size(); ++i) {
      batch.images.push_back(i);
      batch.geometry.push_back({224, 224, 1, 1, 0, 0, 224});
    }
    PartTemplateLearner learner(dataset);
    learner.add(batch, z, features);
    PartReferenceMeter meter(dataset, learner.result());
    meter.add(batch, z, features);
    return meter.result();
  }

  Dataset dataset;
};

TEST_F(PartReferencesTest, PartsThatTheMapsTellApartAreFound)
{
  const PartReferences found = references(maps(), maps(true));
  EXPECT_EQ(found.backbone.consistency, 1.0);
  EXPECT_DOUBLE_EQ(found.backbone.purity.value().mean, 1);
  // The class alone does not say where to look.
  EXPECT_EQ(found.features.consistency, 0.0);
  EXPECT_LT(found.features.purity.value().mean, 0.2);
}

TEST_F(PartReferencesTest, WithoutAHeadThereIsTheBackboneAlone)
{
  const PartReferences found = references(maps(), {});
  EXPECT_EQ(found.backbone.consistency, 1.0);
  EXPECT_FALSE(found.features.consistency);
  EXPECT_FALSE(found.features.purity);
}

TEST_F(PartReferencesTest, TheCentreIsThatOfTheImage)
{
  // One class's beak is always there.
  for (Sample & sample : dataset.samples) {
    if (sample.label == 1) {
      sample.parts[0] = {0, 112, 112};
    }
  }
  const PartReferences found = references(maps(), maps());
  EXPECT_EQ(found.centre.consistency, 0.5);
  EXPECT_DOUBLE_EQ(found.centre.purity.value().mean, 0.5);
}

TEST_F(PartReferencesTest, APartThatWasNeverSeenHasNoTemplate)
{
  for (Sample & sample : dataset.samples) {
    if (sample.label == 0) {
      sample.parts.pop_back();
    }
  }
  const PartReferences found = references(maps(), maps());
  EXPECT_EQ(found.backbone.consistency, 1.0);
  EXPECT_DOUBLE_EQ(found.backbone.purity.value().deviation, 0) << "three templates, not four";
}

TEST_F(PartReferencesTest, WhatIsNotANumberIsNowhere)
{
  torch::Tensor broken = maps();
  broken[3].fill_(NAN);
  const PartReferences found = references(broken, maps());
  EXPECT_EQ(found.backbone.consistency, 1.0) << "9 of 10 images are enough";
}

class DrawnBirds : public ::testing::Test
{
protected:
  static void SetUpTestSuite()
  {
    directory = new test::TemporaryDirectory;
    birds::Options options;
    options.classes = 3;
    options.per_class = 6;
    options.size = 64;
    options.calibration = 3;
    options.ood = 1;
    birds::write_dataset(*directory / "drawn", options);
  }
  static void TearDownTestSuite() { delete directory; }

  static std::string folder(const std::string & name) { return *directory / ("drawn/" + name); }

  static LoaderConfig loader_config(int batch_size)
  {
    LoaderConfig config;
    config.preprocessing.size = 48;
    config.batch_size = batch_size;
    config.workers = 1;
    return config;
  }

  /// A patch for each of the network's prototypes, cut out of training images.
  static std::vector<std::optional<Provenance>> patches()
  {
    const Dataset training = open_dataset(folder("birds"), "train");
    std::vector<std::optional<Provenance>> sources;
    for (int k = 0; k < 6; ++k) {
      const Sample & sample = training.samples.at(k);
      sources.push_back(Provenance{sample.name, 0, 0, {}, {}, {}});
      cv::imencode(".jpg", read_image(sample)(cv::Rect(20, 20, 24, 24)), sources.back()->patch);
    }
    return sources;
  }

  Interpretability measure(
    const Dataset & dataset, int batch_size, InterpretabilityOptions options = {})
  {
    Loader loader(dataset, loader_config(batch_size));
    options.preprocessing = loader_config(batch_size).preprocessing;
    InterpretabilityMeter meter(*network, dataset, options);
    for_each_batch(*network, loader, {}, [&](const BatchOutputs & batch) { meter.add(batch); });
    return meter.result();
  }

  static test::TemporaryDirectory * directory;
  std::shared_ptr<Network> network = test::small_network();
};

test::TemporaryDirectory * DrawnBirds::directory = nullptr;

TEST_F(DrawnBirds, GiveAllNumbersAndTheSameTwice)
{
  const Dataset dataset = open_dataset(folder("birds"), "test");

  InterpretabilityOptions options;
  options.prototypes = patches();
  const Interpretability once = measure(dataset, 4, options);
  const Interpretability again = measure(dataset, 4, options);

  ASSERT_TRUE(once.consistency && once.stability && once.purity && once.oirr && once.dauc);
  ASSERT_TRUE(once.on_object && once.centre_on_object && once.sufficient && once.necessary);
  ASSERT_TRUE(once.alike && once.apart);
  for (const double share :
       {*once.consistency, *once.stability, once.purity->mean, *once.dauc, *once.on_object,
        *once.centre_on_object, *once.sufficient, *once.necessary, *once.alike, once.apart->iou,
        once.apart->share}) {
    EXPECT_GE(share, 0);
    EXPECT_LE(share, 1);
  }
  EXPECT_LE(once.purity->deviation, 0.5);
  EXPECT_GT(*once.oirr, 0);
  EXPECT_EQ(once.diversity, diversity(network->gaussian_head()));
  EXPECT_EQ(once.consistency, again.consistency);
  EXPECT_EQ(once.stability, again.stability);
  EXPECT_EQ(once.purity->mean, again.purity->mean);
  EXPECT_EQ(once.purity->deviation, again.purity->deviation);
  EXPECT_EQ(once.oirr, again.oirr);
  EXPECT_EQ(once.dauc, again.dauc);
  EXPECT_EQ(once.sufficient, again.sufficient);
  EXPECT_EQ(once.alike, again.alike);
}

TEST_F(DrawnBirds, PurityAloneIsTheSamePurity)
{
  const Dataset dataset = open_dataset(folder("birds"), "test");
  Loader loader(dataset, loader_config(4));
  std::int64_t calls = 0;

  const GaussianHead & head = network->gaussian_head();
  Purity alone(head.prototypes());
  for_each_batch(
    *network, loader,
    [&](std::int64_t done, std::int64_t all) {
      EXPECT_EQ(done, ++calls);
      EXPECT_EQ(all, 3);  // 9 images in batches of 4
    },
    [&](const BatchOutputs & batch) {
      for (int b = 0; b < batch.batch().count; ++b) {
        alone.add(observed_image(head, batch, dataset, b));
      }
    });

  const auto purity = alone.result();
  ASSERT_TRUE(purity);
  EXPECT_EQ(purity->mean, measure(dataset, 4).purity->mean);
  EXPECT_EQ(calls, 3);
}

TEST_F(DrawnBirds, DaucTakesEveryNthImage)
{
  Dataset dataset = open_dataset(folder("birds"), "test");
  InterpretabilityOptions options;
  options.dauc_stride = 9;  // only the first of 9 images
  const std::optional<double> strided = measure(dataset, 1, options).dauc;
  dataset.samples.resize(1);
  EXPECT_EQ(strided, measure(dataset, 1).dauc);
  options.dauc_stride = 0;
  EXPECT_FALSE(measure(dataset, 1, options).dauc);
  options.dauc_stride = -1;
  EXPECT_THROW(measure(dataset, 1, options), ConfigError);
}

TEST_F(DrawnBirds, MeasuresOfBeliefThatTakePassesAreOfEveryNthImage)
{
  Dataset dataset = open_dataset(folder("birds"), "test");
  InterpretabilityOptions options;
  options.belief_stride = 9;  // only the first of 9 images
  const Interpretability strided = measure(dataset, 1, options);
  EXPECT_FALSE(strided.alike) << "without patches";
  options.belief_stride = 0;
  const Interpretability without = measure(dataset, 1, options);
  EXPECT_FALSE(without.sufficient);
  EXPECT_FALSE(without.necessary);
  EXPECT_EQ(without.on_object, strided.on_object) << "of all images";
  EXPECT_EQ(without.apart->iou, strided.apart->iou);
  options.belief_stride = -1;
  EXPECT_THROW(measure(dataset, 1, options), ConfigError);
  dataset.samples.resize(1);
  EXPECT_EQ(strided.sufficient, measure(dataset, 1).sufficient);
}

TEST_F(DrawnBirds, TheBoxDoesWhereThereIsNoMask)
{
  Dataset dataset = open_dataset(folder("birds"), "test");
  for (Sample & sample : dataset.samples) {
    ASSERT_TRUE(sample.box);
    sample.mask.clear();
  }
  const Interpretability by_box = measure(dataset, 4);
  EXPECT_FALSE(by_box.oirr);
  ASSERT_TRUE(by_box.on_object);
  EXPECT_GE(*by_box.on_object, *measure(open_dataset(folder("birds"), "test"), 4).on_object);
  for (Sample & sample : dataset.samples) {
    sample.box.reset();
  }
  EXPECT_FALSE(measure(dataset, 4).on_object);
}

TEST_F(DrawnBirds, AFolderWithoutPartsAndMasksStillHasDaucAndDiversity)
{
  const Dataset dataset = open_dataset(folder("calibration"), "all");
  const Interpretability measured = measure(dataset, 2);
  EXPECT_FALSE(measured.consistency);
  EXPECT_FALSE(measured.stability);
  EXPECT_FALSE(measured.purity);
  EXPECT_FALSE(measured.oirr);
  EXPECT_TRUE(measured.dauc);
  EXPECT_TRUE(measured.diversity);
  EXPECT_FALSE(measured.on_object);
  EXPECT_TRUE(measured.sufficient && measured.necessary && measured.apart);
}

TEST_F(DrawnBirds, OtherClassesThanTheNetworksAreRefused)
{
  Dataset dataset = open_dataset(folder("birds"), "test");
  dataset.classes.push_back("dodo");
  EXPECT_THROW(measure(dataset, 4), ConfigError);
}

TEST_F(DrawnBirds, AMaskOfAnotherSizeIsNamed)
{
  Dataset dataset = open_dataset(folder("birds"), "test");
  dataset.samples[0].mask = *directory / "small.png";
  cv::imwrite(dataset.samples[0].mask, cv::Mat::ones(5, 7, CV_8U));
  try {
    measure(dataset, 4);
    FAIL() << "no error";
  } catch (const FileError & error) {
    EXPECT_NE(std::string(error.what()).find("small.png: mask of 7x5"), std::string::npos)
      << error.what();
  }
}

}  // namespace
}  // namespace mgproto
