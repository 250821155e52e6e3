// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// Which images are learnt from and which are kept for calibration.

#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "mgproto_ros/error.hpp"
#include "temporary_directory.hpp"
#include "training/run/run_directory.hpp"
#include "training/run/training_data.hpp"

namespace mgproto
{
namespace
{

/// Two classes of four occasions with three images each. They are listed, never decoded.
class TrainingDataTest : public ::testing::Test
{
protected:
  TrainingDataTest()
  {
    for (const std::string folder : {"train/finch/", "train/wren, \"old\"/", "test/finch/"}) {
      std::filesystem::create_directories(directory / folder);
      for (int occasion = 0; occasion < 4; ++occasion) {
        for (int i = 0; i < 3; ++i) {
          std::ofstream(
            directory /
            (folder + "shop" + std::to_string(occasion) + "_" + std::to_string(i) + ".jpg"));
        }
      }
    }
    config.data.path = directory / "";
    config.data.held_out = 0.25;
    config.finish.tpr = 0.8;
  }

  static std::map<std::string, std::set<std::string>> shops(const Dataset & dataset)
  {
    std::map<std::string, std::set<std::string>> result;
    for (const Sample & sample : dataset.samples) {
      const std::string name = std::filesystem::path(sample.name).filename();
      result[dataset.classes[sample.label]].insert(name.substr(0, name.find('_')));
    }
    return result;
  }

  test::TemporaryDirectory directory;
  TrainingConfig config;
};

TEST_F(TrainingDataTest, EveryNthImageOfAClassIsHeldOut)
{
  const TrainingData data = open_training_data(config);
  ASSERT_EQ(data.calibration.size(), 6);
  EXPECT_EQ(data.train.size(), 18);
  EXPECT_NE(data.calibration.samples[0].name.find("shop1_0.jpg"), std::string::npos);  // the fourth
}

TEST_F(TrainingDataTest, ImagesOfOneOccasionAreHeldOutTogether)
{
  for (const char * pattern : {"shop[0-9]+", "(shop[0-9]+)_[0-9]"}) {
    config.data.groups = pattern;
    const TrainingData data = open_training_data(config);
    ASSERT_EQ(data.calibration.size(), 6);
    const auto held = shops(data.calibration);
    for (const auto & [name, learnt] : shops(data.train)) {
      EXPECT_EQ(held.at(name).size(), 1u) << name;
      EXPECT_EQ(learnt.count(*held.at(name).begin()), 0u) << name;
    }
  }
  config.data.groups = "shop[";
  EXPECT_THROW(open_training_data(config), ConfigError);
}

TEST_F(TrainingDataTest, TooFewImagesForThePromiseAreRefusedAtTheStart)
{
  config.finish.tpr = 0.95;
  EXPECT_THROW(open_training_data(config), Error);
  config.network.model.head.kind = "softmax";  // promises nothing
  EXPECT_NO_THROW(open_training_data(config));
}

TEST_F(TrainingDataTest, TheListOfImagesToCalibrateOnCanBeOpened)
{
  const TrainingData data = open_training_data(config);
  write_calibration_list(directory / "", data.calibration);
  DatasetOptions options;
  options.classes = data.train.classes;
  options.evaluation = true;
  const Dataset read = open_dataset(directory / "calibration.csv", "all", options);
  ASSERT_EQ(read.size(), data.calibration.size());
  for (std::int64_t i = 0; i < read.size(); ++i) {
    EXPECT_TRUE(
      std::filesystem::equivalent(read.samples[i].file, data.calibration.samples[i].file));
    EXPECT_EQ(read.samples[i].label, data.calibration.samples[i].label);
  }
}

}  // namespace
}  // namespace mgproto
