// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// Covers the order of an epoch, that batches do not depend on workers, on the cache or on where an
// epoch was started, broken images, errors on worker threads, and shutting down at any moment.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <opencv2/core/utility.hpp>
#include <opencv2/imgcodecs.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "datasets/loader.hpp"
#include "mgproto_ros/error.hpp"
#include "model/image_file.hpp"

namespace mgproto
{
namespace
{

namespace fs = std::filesystem;

constexpr int kSize = 16;

class LoaderTest : public ::testing::Test
{
protected:
  /// 7 images of class a, 3 of b, 13 of c, all different.
  void SetUp() override
  {
    const auto * test = ::testing::UnitTest::GetInstance()->current_test_info();
    dir_ = fs::temp_directory_path() /
           ("mgproto_loader_" + std::to_string(getpid()) + "_" + test->name());
    cv::RNG random(1);
    for (const auto & [name, count] : {std::pair("a", 7), std::pair("b", 3), std::pair("c", 13)}) {
      fs::create_directories(dir_ / name);
      for (int i = 0; i < count; ++i) {
        cv::Mat image(20 + i, 24, CV_8UC3);
        random.fill(image, cv::RNG::UNIFORM, 0, 256);
        cv::imwrite((dir_ / name / (std::to_string(10 + i) + ".png")).string(), image);
      }
    }
    dataset_ = open_dataset(dir_.string(), "all");
    config_.preprocessing.size = kSize;
    config_.augmentation = AugmentationConfig{};
    config_.order = SampleOrder::shuffled;
    config_.seed = 11;
    config_.batch_size = 4;
  }
  void TearDown() override { fs::remove_all(dir_); }

  void break_image(std::int64_t index) const
  {
    std::ofstream(dataset_.samples[index].file) << "broken";
  }

  fs::path dir_;
  Dataset dataset_;
  LoaderConfig config_;
};

/// All batches of an epoch from one on.
std::vector<Batch> batches(Loader & loader, std::int64_t epoch, std::int64_t first = 0)
{
  std::vector<Batch> result;
  Batch batch;
  loader.start(epoch, first);
  while (loader.next(batch)) {
    result.push_back(batch);
  }
  return result;
}

void expect_same(const std::vector<Batch> & left, const std::vector<Batch> & right)
{
  ASSERT_EQ(left.size(), right.size());
  for (std::size_t i = 0; i < left.size(); ++i) {
    EXPECT_EQ(left[i].index, right[i].index);
    EXPECT_EQ(left[i].epoch, right[i].epoch);
    EXPECT_EQ(left[i].count, right[i].count);
    EXPECT_EQ(left[i].images, right[i].images);
    EXPECT_EQ(left[i].labels, right[i].labels);
    EXPECT_TRUE(left[i].pixels == right[i].pixels) << "pixels of batch " << i;
  }
}

std::vector<std::int64_t> images(const std::vector<Batch> & epoch)
{
  std::vector<std::int64_t> result;
  for (const Batch & batch : epoch) {
    result.insert(result.end(), batch.images.begin(), batch.images.end());
  }
  return result;
}

std::vector<std::int64_t> sorted(std::vector<std::int64_t> values)
{
  std::sort(values.begin(), values.end());
  return values;
}

std::vector<std::int64_t> count_up(std::int64_t count)
{
  std::vector<std::int64_t> values;
  for (std::int64_t i = 0; i < count; ++i) {
    values.push_back(i);
  }
  return values;
}

TEST_F(LoaderTest, AnEpochShowsEveryImageOnceInAnOrderOfItsOwn)
{
  Loader loader(dataset_, config_);
  const std::vector<Batch> first = batches(loader, 0);
  const std::vector<Batch> second = batches(loader, 1);

  ASSERT_EQ(first.size(), 6u);
  EXPECT_EQ(loader.batches_per_epoch(), 6);
  EXPECT_EQ(first.back().count, 3);
  EXPECT_EQ(first[0].size, kSize);
  EXPECT_EQ(first[0].pixels.size(), 4u * 3 * kSize * kSize);
  EXPECT_TRUE(first[0].geometry.empty());
  EXPECT_EQ(sorted(images(first)), count_up(23));
  EXPECT_EQ(sorted(images(second)), count_up(23));
  EXPECT_NE(images(first), images(second));
  for (const Batch & batch : first) {
    for (int i = 0; i < batch.count; ++i) {
      EXPECT_EQ(batch.labels[i], dataset_.samples[batch.images[i]].label);
    }
  }
}

TEST_F(LoaderTest, AugmentationIsKeyedByEpochAndImage)
{
  config_.order = SampleOrder::as_listed;
  Loader loader(dataset_, config_);
  const std::vector<Batch> first = batches(loader, 0);
  const std::vector<Batch> second = batches(loader, 1);
  EXPECT_EQ(images(first), images(second));
  EXPECT_NE(first[0].pixels, second[0].pixels);

  // Batches of another size hold the same pixels for the same image.
  config_.batch_size = 23;
  Loader whole(dataset_, config_);
  const std::vector<Batch> one = batches(whole, 0);
  EXPECT_TRUE(std::equal(first[0].pixels.begin(), first[0].pixels.end(), one[0].pixels.begin()));
}

TEST_F(LoaderTest, ViewsComeAgainInTurns)
{
  config_.order = SampleOrder::as_listed;
  config_.augmentation->views = 2;
  break_image(1);
  Loader loader(dataset_, config_);
  const std::vector<Batch> first = batches(loader, 0);
  const std::vector<Batch> second = batches(loader, 1);
  const std::vector<Batch> third = batches(loader, 2);
  EXPECT_NE(first[0].pixels, second[0].pixels);
  EXPECT_EQ(first[0].pixels, third[0].pixels);
  EXPECT_EQ(first[0].views, (std::vector<std::int64_t>{0, 4, 6}));
  EXPECT_EQ(second[0].views, (std::vector<std::int64_t>{1, 5, 7}));
  EXPECT_EQ(third[0].views, first[0].views);

  config_.augmentation->views = 0;
  Loader always_new(dataset_, config_);
  EXPECT_EQ(batches(always_new, 0)[0].pixels, first[0].pixels);
  EXPECT_TRUE(batches(always_new, 0)[0].views.empty());
}

TEST_F(LoaderTest, BatchesAreTheSameForAnyNumberOfWorkers)
{
  for (const SampleOrder order : {SampleOrder::shuffled, SampleOrder::balanced}) {
    config_.order = order;
    config_.workers = 1;
    config_.batches_ahead = 1;
    Loader single(dataset_, config_);
    const std::vector<Batch> expected = batches(single, 3);
    for (const int workers : {2, 5}) {
      config_.workers = workers;
      config_.batches_ahead = 3;
      config_.cache = workers == 5;
      Loader loader(dataset_, config_);
      expect_same(batches(loader, 3), expected);
      expect_same(batches(loader, 3), expected);  // now from the cache, if there is one
    }
  }
}

TEST_F(LoaderTest, ResumingWithinAnEpochGoesOnAsIfUninterrupted)
{
  Loader loader(dataset_, config_);
  const std::vector<Batch> expected = batches(loader, 2);
  for (std::int64_t first = 0; first <= 6; ++first) {
    Loader resumed(dataset_, config_);
    expect_same(
      batches(resumed, 2, first), std::vector<Batch>(expected.begin() + first, expected.end()));
  }
}

TEST_F(LoaderTest, StartingAgainInTheMiddleDropsTheOldEpoch)
{
  config_.workers = 3;
  Loader loader(dataset_, config_);
  const std::vector<Batch> expected = batches(loader, 5);
  Batch batch;
  for (int taken = 0; taken < 5; ++taken) {
    loader.start(4);
    for (int i = 0; i < taken; ++i) {
      ASSERT_TRUE(loader.next(batch));
    }
    expect_same(batches(loader, 5), expected);
  }
}

TEST_F(LoaderTest, DropLastLeavesOutTheBatchThatIsNotFull)
{
  config_.drop_last = true;
  Loader loader(dataset_, config_);
  const std::vector<Batch> epoch = batches(loader, 0);
  EXPECT_EQ(epoch.size(), 5u);
  EXPECT_EQ(epoch.back().count, 4);
  config_.batch_size = 24;
  EXPECT_THROW(Loader(dataset_, config_), ConfigError);
}

TEST_F(LoaderTest, BalancedEpochsShareTheDrawsBetweenTheClasses)
{
  config_.order = SampleOrder::balanced;
  Loader loader(dataset_, config_);
  const std::vector<std::int64_t> drawn = images(batches(loader, 0));
  ASSERT_EQ(drawn.size(), 23u);
  std::vector<int> per_class(3, 0);
  std::vector<int> per_image(23, 0);
  for (const std::int64_t image : drawn) {
    ++per_class[dataset_.samples[image].label];
    ++per_image[image];
  }
  EXPECT_EQ(*std::max_element(per_class.begin(), per_class.end()), 8);
  EXPECT_EQ(*std::min_element(per_class.begin(), per_class.end()), 7);
  for (int image = 0; image < 23; ++image) {
    const bool rare = dataset_.samples[image].label == 1;  // 3 images drawn 7 or 8 times
    EXPECT_GE(per_image[image], rare ? 2 : 0);
    EXPECT_LE(per_image[image], rare ? 3 : 2);
  }
}

TEST_F(LoaderTest, AnImageThatIsDrawnTwiceLooksDifferent)
{
  config_.order = SampleOrder::balanced;
  config_.batch_size = 23;
  Loader loader(dataset_, config_);
  const Batch batch = batches(loader, 0).front();
  const std::size_t floats = 3 * kSize * kSize;
  std::set<std::vector<float>> different;
  for (int i = 0; i < batch.count; ++i) {
    different.emplace(batch.pixels.begin() + i * floats, batch.pixels.begin() + (i + 1) * floats);
  }
  EXPECT_EQ(different.size(), 23u);
}

TEST_F(LoaderTest, BalancingNeedsClasses)
{
  DatasetOptions options;
  options.labelled = false;
  const Dataset unlabelled = open_dataset(dir_.string(), "all", options);
  config_.order = SampleOrder::balanced;
  Loader loader(unlabelled, config_);
  EXPECT_THROW(loader.start(0), ConfigError);
}

TEST_F(LoaderTest, WithoutAugmentationImagesGoThroughThePreprocessor)
{
  config_.augmentation.reset();
  config_.order = SampleOrder::as_listed;
  Loader loader(dataset_, config_);
  Preprocessor preprocessor(config_.preprocessing);
  const std::size_t floats = 3 * kSize * kSize;
  std::vector<float> expected(floats);
  for (const Batch & batch : batches(loader, 0)) {
    ASSERT_EQ(batch.geometry.size(), static_cast<std::size_t>(batch.count));
    for (int i = 0; i < batch.count; ++i) {
      const cv::Mat image = read_image(dataset_.samples[batch.images[i]]);
      preprocessor(view_of(image), expected.data());
      EXPECT_TRUE(std::equal(expected.begin(), expected.end(), batch.pixels.begin() + i * floats));
      EXPECT_EQ(batch.geometry[i].original_height, image.rows);
    }
  }
}

TEST_F(LoaderTest, BrokenImagesMakeTheirBatchSmallerAndLeaveTheOthersAlone)
{
  Loader whole(dataset_, config_);
  const std::vector<Batch> expected = batches(whole, 0);
  break_image(expected[1].images[0]);
  break_image(expected[1].images[2]);
  break_image(expected[5].images[2]);

  for (const int workers : {1, 2, 5}) {
    config_.workers = workers;
    Loader loader(dataset_, config_);
    const std::vector<Batch> epoch = batches(loader, 0);

    ASSERT_EQ(epoch.size(), 6u);
    expect_same({epoch[0], epoch[2]}, {expected[0], expected[2]});
    EXPECT_EQ(epoch[1].count, 2);
    EXPECT_EQ(
      epoch[1].images, (std::vector<std::int64_t>{expected[1].images[1], expected[1].images[3]}));
    const std::size_t floats = 3 * kSize * kSize;
    ASSERT_EQ(epoch[1].pixels.size(), 2 * floats);
    EXPECT_TRUE(std::equal(
      epoch[1].pixels.begin() + floats, epoch[1].pixels.end(),
      expected[1].pixels.begin() + 3 * floats));
    EXPECT_EQ(epoch[5].count, 2);

    batches(loader, 1);
    ASSERT_EQ(loader.broken().size(), 3u) << "each is reported once";
    EXPECT_EQ(loader.broken()[0].image, expected[1].images[0]);
    EXPECT_NE(
      loader.broken()[0].problem.find(dataset_.samples[expected[1].images[0]].name),
      std::string::npos);
  }
}

TEST_F(LoaderTest, ABatchWithoutReadableImagesIsPassedOver)
{
  config_.order = SampleOrder::as_listed;
  for (int i = 4; i < 8; ++i) {
    break_image(i);
  }
  Loader loader(dataset_, config_);
  const std::vector<Batch> epoch = batches(loader, 0);
  ASSERT_EQ(epoch.size(), 5u);
  EXPECT_EQ(epoch[1].index, 2);
  EXPECT_EQ(loader.broken().size(), 4u);
}

TEST_F(LoaderTest, AnEpochWithoutReadableImagesIsAnError)
{
  for (std::int64_t i = 0; i < dataset_.size(); ++i) {
    break_image(i);
  }
  Loader loader(dataset_, config_);
  EXPECT_THROW(batches(loader, 0), FileError);
  EXPECT_THROW(batches(loader, 1), FileError);
}

TEST_F(LoaderTest, StrictStopsAtTheFirstBrokenImage)
{
  config_.strict = true;
  config_.workers = 5;
  config_.batches_ahead = 4;
  config_.order = SampleOrder::as_listed;
  break_image(9);
  break_image(11);
  Loader loader(dataset_, config_);
  Batch batch;
  loader.start(0);
  EXPECT_TRUE(loader.next(batch));
  EXPECT_TRUE(loader.next(batch));
  for (int attempt = 0; attempt < 2; ++attempt) {
    try {
      loader.next(batch);
      ADD_FAILURE() << "no error";
    } catch (const FileError & error) {
      EXPECT_EQ(error.path(), dataset_.samples[9].file);
    }
  }
  loader.start(0, 3);
  EXPECT_TRUE(loader.next(batch)) << "a new start is possible";
}

TEST_F(LoaderTest, TheCacheKeepsImagesAndItsLimit)
{
  config_.cache = true;
  Loader loader(dataset_, config_);
  const std::vector<Batch> expected = batches(loader, 0);
  EXPECT_GT(loader.cached_bytes(), 23u * 24 * 20 * 3);
  for (std::int64_t i = 0; i < dataset_.size(); ++i) {
    break_image(i);
  }
  expect_same(batches(loader, 0), expected);

  config_.cache_bytes = 1;
  Loader tiny(dataset_, config_);
  EXPECT_THROW(batches(tiny, 0), FileError);
  EXPECT_EQ(tiny.cached_bytes(), 0u);
}

TEST_F(LoaderTest, BatchMemoryIsUsedAgain)
{
  config_.drop_last = true;
  config_.batches_ahead = 2;
  Loader loader(dataset_, config_);
  std::set<const float *> buffers;
  Batch batch;
  for (int epoch = 0; epoch < 4; ++epoch) {
    loader.start(epoch);
    while (loader.next(batch)) {
      buffers.insert(batch.pixels.data());
    }
  }
  EXPECT_LE(buffers.size(), 3u) << "two ahead and one with the consumer";
}

TEST_F(LoaderTest, ItCanBeDestroyedAtAnyMoment)
{
  config_.workers = 3;
  for (int taken = 0; taken < 7; ++taken) {
    Loader loader(dataset_, config_);
    if (taken > 0) {
      Batch batch;
      loader.start(0);
      for (int i = 1; i < taken; ++i) {
        loader.next(batch);
      }
    }
  }
}

TEST_F(LoaderTest, WaitingIsMeasured)
{
  Loader loader(dataset_, config_);
  EXPECT_EQ(loader.seconds_waited(), 0);
  const auto begin = std::chrono::steady_clock::now();
  batches(loader, 0);
  const double passed =
    std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  EXPECT_GT(loader.seconds_waited(), 0);
  EXPECT_LE(loader.seconds_waited(), passed);
}

TEST_F(LoaderTest, OpenCvThreadsAreRestoredByTheLastLoader)
{
  cv::setNumThreads(2);
  {
    Loader outer(dataset_, config_);
    EXPECT_EQ(cv::getNumThreads(), 1);
    {
      Loader inner(dataset_, config_);
    }
    EXPECT_EQ(cv::getNumThreads(), 1);
  }
  EXPECT_EQ(cv::getNumThreads(), 2);
}

TEST_F(LoaderTest, BeforeTheFirstStartThereIsNothing)
{
  Loader loader(dataset_, config_);
  Batch batch;
  EXPECT_FALSE(loader.next(batch));
}

TEST_F(LoaderTest, ConfigsThatCannotWorkAreRefused)
{
  const auto refuses = [this](auto change) {
    LoaderConfig config = config_;
    change(config);
    try {
      Loader loader(dataset_, config);
    } catch (const ConfigError &) {
      return true;
    }
    return false;
  };
  EXPECT_TRUE(refuses([](LoaderConfig & c) { c.batch_size = 0; }));
  EXPECT_TRUE(refuses([](LoaderConfig & c) { c.augmentation->views = -1; }));
  EXPECT_TRUE(refuses([](LoaderConfig & c) { c.workers = 0; }));
  EXPECT_TRUE(refuses([](LoaderConfig & c) { c.batches_ahead = 0; }));
  EXPECT_TRUE(refuses([](LoaderConfig & c) { c.preprocessing.size = 0; }));
  EXPECT_TRUE(refuses([](LoaderConfig & c) { c.augmentation->hue = 2; }));
  Loader loader(dataset_, config_);
  EXPECT_THROW(loader.start(0, 7), ConfigError);
  EXPECT_THROW(loader.start(-1), ConfigError);
}

}  // namespace
}  // namespace mgproto
