// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// A training and its images: beginning where another one died, resuming with images that have changed,
// images that are in two places.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "cli/training_run.hpp"

namespace mgproto
{
namespace
{

using test::read;
using test::TrainingRun;

TEST_F(TrainingRun, ARunThatDiedBeforeItsFirstSnapshotBeginsAgain)
{
  const std::string run = *directory / "died_early";
  const pid_t child = train(run);
  for (int i = 0; i < 6000 && !std::filesystem::exists(run + "/config.yaml"); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  kill(child, SIGKILL);
  ASSERT_EQ(wait_for(child), -SIGKILL);
  ASSERT_FALSE(std::filesystem::exists(run + "/snapshot.safetensors"));

  ASSERT_EQ(wait_for(train(run)), 0) << output();
  EXPECT_TRUE(read(run + "/final.safetensors") == read(*directory / "straight/final.safetensors"));
}

TEST_F(TrainingRun, NobodyElseWorksInItsDirectory)
{
  const std::string run = *directory / "busy";
  const pid_t child = train(run);
  wait_for_lines(run, 1);
  EXPECT_EQ(wait_for(start({"train", "--resume", run})), 1);
  EXPECT_NE(output().find("another process is at work in it"), std::string::npos) << output();
  kill(child, SIGKILL);
  wait_for(child);
}

TEST_F(TrainingRun, AFolderOfSomethingElseIsNotBegunIn)
{
  const std::string folder = *directory / "holiday";
  std::filesystem::create_directory(folder);
  std::ofstream(folder + "/beach.txt") << "sun";

  EXPECT_EQ(wait_for(train(folder)), 1);
  EXPECT_NE(output().find("exists already"), std::string::npos) << output();
}

/// A run that was stopped, of data of its own that may be changed.
class ChangedData : public TrainingRun
{
protected:
  void SetUp() override
  {
    std::filesystem::remove_all(own_);
    copy_as_split_folders(data_);
    const pid_t child = start(
      {"train", "--config", *directory / "tiny.yaml", "--out", run_, "--set", "data.path=" + data_,
       "--set", "finish.tpr=0.8"});
    wait_for_lines(run_, 2);
    kill(child, SIGINT);
    ASSERT_EQ(wait_for(child), 1) << output();
  }

  int resume(const std::vector<std::string> & more = {})
  {
    std::vector<std::string> arguments{"train", "--resume", run_};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return wait_for(start(arguments));
  }

  std::filesystem::path first_class() const { return entries_of(data_ + "/train").at(0); }
  std::filesystem::path first_image() const { return entries_of(first_class()).at(0); }

  const std::string own_ = *directory / "own";
  const std::string data_ = own_ + "/data";
  const std::string run_ = own_ + "/run";
};

TEST_F(ChangedData, IsNamedAndGoneOnWithOnlyIfThatIsWanted)
{
  const std::string name = first_image().filename();
  std::filesystem::remove(first_image());

  EXPECT_EQ(resume(), 1);
  EXPECT_NE(output().find("was begun with other images: "), std::string::npos) << output();
  EXPECT_NE(output().find(name), std::string::npos) << output();
  ASSERT_EQ(resume({"--accept-changed-data"}), 0) << output();
  EXPECT_NE(output().find("warning: going on with other images"), std::string::npos) << output();
}

TEST_F(ChangedData, IsFoundWhereNamesAndSizesAreTheSame)
{
  const std::filesystem::path image = first_image();
  const auto bytes = std::filesystem::file_size(image);
  std::fstream file(image, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(static_cast<std::streamoff>(bytes / 2));
  file.put('x').put('y');
  file.close();

  EXPECT_EQ(resume(), 1);
  EXPECT_NE(output().find(" changed ("), std::string::npos) << output();
}

TEST_F(ChangedData, IsFoundWhereImagesWouldChangeSides)
{
  EXPECT_EQ(resume({"--set", "data.calibration=''", "--set", "data.held_out=0.5"}), 1);
  EXPECT_NE(output().find("of train now in calibration"), std::string::npos) << output();
}

TEST_F(ChangedData, IsFoundWhereTwoClassesChangeNames)
{
  const auto classes = entries_of(data_ + "/train");
  const std::string first = classes.at(0).filename();
  const std::string second = classes.at(1).filename();
  for (const std::string & split : {data_ + "/train/", data_ + "/test/"}) {
    std::filesystem::rename(split + first, split + "between");
    std::filesystem::rename(split + second, split + first);
    std::filesystem::rename(split + "between", split + second);
  }

  EXPECT_EQ(resume(), 1);
  EXPECT_NE(output().find("of train gone"), std::string::npos) << output();
  EXPECT_NE(output().find("new in train"), std::string::npos) << output();
}

TEST_F(TrainingRun, ImagesThatAreInTwoPlacesAreNamed)
{
  namespace fs = std::filesystem;
  const std::string data = *directory / "doubled";
  copy_as_split_folders(data);
  const std::vector<fs::path> classes = entries_of(data + "/train");
  const fs::path image = entries_of(classes.at(0)).at(0);
  fs::copy(image, classes.at(1) / "also_here.png");
  fs::copy(image, fs::path(data) / "test" / classes[0].filename() / "seen.png");

  ASSERT_EQ(
    wait_for(start(
      {"train", "--config", *directory / "tiny.yaml", "--out", *directory / "of_doubled", "--set",
       "data.path=" + data, "--set", "schedule.epochs=1"})),
    0)
    << output();
  EXPECT_NE(output().find("1 image of train also in test ("), std::string::npos) << output();
  EXPECT_NE(output().find("in two classes ("), std::string::npos) << output();
}

TEST_F(TrainingRun, AChangedImageIsEvaluatedAnewThoughItsSizeAndTimeAreTheSame)
{
  namespace fs = std::filesystem;
  const std::string data = *directory / "swapped";
  copy_as_split_folders(data);
  const std::vector<std::string> command{
    "evaluate",
    "--model",
    *directory / "straight/final.safetensors",
    "--data",
    data,
    "--json",
    "--no-interpretability",
    "--garbage",
    "0"};
  const std::vector<fs::path> classes = entries_of(data + "/test");
  // What follows the end of a PNG file is ignored.
  const fs::path first = entries_of(classes.at(0)).at(0);
  const fs::path second = entries_of(classes.at(1)).at(0);
  const auto bytes = std::max(fs::file_size(first), fs::file_size(second));
  fs::resize_file(first, bytes);
  fs::resize_file(second, bytes);
  const auto time = fs::last_write_time(first);
  ASSERT_EQ(wait_for(start(command)), 0) << output();
  const std::string before = output();

  fs::copy_file(second, first, fs::copy_options::overwrite_existing);
  fs::last_write_time(first, time);
  ASSERT_EQ(wait_for(start(command)), 0) << output();

  EXPECT_NE(output(), before);
}

}  // namespace
}  // namespace mgproto
