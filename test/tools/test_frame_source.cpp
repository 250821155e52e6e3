// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/videoio.hpp>
#include <set>
#include <thread>
#include <vector>

#include "contains.hpp"
#include "mgproto_ros/error.hpp"
#include "temporary_directory.hpp"
#include "tools/frame_source.hpp"
#include "tools/source_kinds.hpp"

namespace mgproto::tools
{
namespace
{

void write_grey(const std::string & path, int value, cv::Size size = {8, 6})
{
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  cv::imwrite(path, cv::Mat(size, CV_8UC3, cv::Scalar::all(value)));
}

int value_of(const SourceFrame & frame)
{
  return static_cast<int>(std::lround(cv::mean(frame.bgr)[0]));
}

std::vector<SourceFrame> all_of(FrameSource & source)
{
  std::vector<SourceFrame> frames;
  while (auto frame = source.next()) {
    frames.push_back(*frame);
  }
  return frames;
}

template <typename Exception>
std::string message_of(const std::string & source, const SourceOptions & options = {})
{
  try {
    open_source(source, options);
  } catch (const Exception & error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(FolderSource, GivesAllImagesBelowItInOrderWithTheirFolderAsLabel)
{
  const test::TemporaryDirectory dir;
  write_grey(dir / "images/known/Plover/b.png", 3);
  write_grey(dir / "images/known/Plover/a.PNG", 2);
  write_grey(dir / "images/vehicles/bus.png", 4);
  write_grey(dir / "images/0.png", 1);
  std::ofstream(dir / "images/notes.txt") << "not an image";

  const auto frames = all_of(*open_source(dir / "images/", {}));

  ASSERT_EQ(frames.size(), 4u);
  const std::vector<std::string> labels{"", "known/Plover", "known/Plover", "vehicles"};
  const std::vector<std::string> names{
    "0.png", "known/Plover/a.PNG", "known/Plover/b.png", "vehicles/bus.png"};
  for (std::size_t i = 0; i < frames.size(); ++i) {
    EXPECT_EQ(frames[i].label, labels[i]);
    EXPECT_EQ(frames[i].name, names[i]);
    EXPECT_EQ(value_of(frames[i]), static_cast<int>(i) + 1);
    EXPECT_EQ(frames[i].bgr.type(), CV_8UC3);
  }
}

TEST(FolderSource, BeginsAnewOnlyWhenLooping)
{
  const test::TemporaryDirectory dir;
  write_grey(dir / "images/a.png", 1);
  write_grey(dir / "images/b.png", 2);
  SourceOptions options;
  options.loop = true;

  const auto source = open_source(dir / "images", options);

  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(value_of(*source->next()), i % 2 + 1);
  }
}

TEST(FolderSource, ShufflesEachRoundAnewAndTheSameForTheSameSeed)
{
  const test::TemporaryDirectory dir;
  for (int i = 0; i < 10; ++i) {
    write_grey(dir / ("images/" + std::to_string(i) + ".png"), i);
  }
  SourceOptions options;
  options.loop = true;
  options.shuffle = true;

  const auto source = open_source(dir / "images", options);
  const auto same = open_source(dir / "images", options);
  std::vector<int> first, second;
  for (int i = 0; i < 20; ++i) {
    const int value = value_of(*source->next());
    (i < 10 ? first : second).push_back(value);
    EXPECT_EQ(value_of(*same->next()), value);
  }

  EXPECT_EQ(std::set<int>(first.begin(), first.end()).size(), 10u);
  EXPECT_EQ(std::set<int>(second.begin(), second.end()).size(), 10u);
  EXPECT_NE(first, second);
}

TEST(FolderSource, SkipsABrokenImageAndReportsItOnce)
{
  const test::TemporaryDirectory dir;
  write_grey(dir / "images/a.png", 1);
  std::ofstream(dir / "images/broken.png") << "nonsense";
  write_grey(dir / "images/c.png", 3);
  std::vector<std::string> log;
  SourceOptions options;
  options.loop = true;
  options.log = [&](const std::string & line) { log.push_back(line); };

  const auto source = open_source(dir / "images", options);
  std::vector<int> values;
  for (int i = 0; i < 6; ++i) {
    values.push_back(value_of(*source->next()));
  }

  EXPECT_EQ(values, (std::vector<int>{1, 3, 1, 3, 1, 3}));
  ASSERT_EQ(log.size(), 1u);
  EXPECT_TRUE(contains(log[0], "broken.png")) << log[0];
}

TEST(FolderSource, EndsWithAnErrorRatherThanForeverIfNoImageCanBeRead)
{
  const test::TemporaryDirectory dir;
  std::filesystem::create_directory(dir / "images");
  std::ofstream(dir / "images/a.png") << "nonsense";
  std::ofstream(dir / "images/b.png") << "nonsense";
  SourceOptions options;
  options.loop = true;

  const auto source = open_source(dir / "images", options);

  EXPECT_THROW(source->next(), FileError);
}

TEST(FolderSource, WithoutImagesIsAnErrorThatNamesIt)
{
  const test::TemporaryDirectory dir;
  std::filesystem::create_directory(dir / "empty");

  const std::string message = message_of<FileError>(dir / "empty");

  EXPECT_TRUE(contains(message, dir / "empty") && contains(message, "no images")) << message;
}

TEST(ImageSource, IsShownOnceOrForever)
{
  const test::TemporaryDirectory dir;
  write_grey(dir / "a/bird.png", 7);
  SourceOptions forever;
  forever.loop = true;

  const auto once = all_of(*open_source(dir / "a/bird.png", {}));
  const auto looping = open_source(dir / "a/bird.png", forever);

  ASSERT_EQ(once.size(), 1u);
  EXPECT_EQ(once[0].name, "bird.png");
  EXPECT_EQ(once[0].label, "");
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(value_of(*looping->next()), 7);
  }
}

TEST(FrameSource, ResizesToTheSizeAskedForOrInProportion)
{
  const test::TemporaryDirectory dir;
  write_grey(dir / "a/bird.png", 7, {80, 60});
  const auto size_with = [&](int width, int height) {
    SourceOptions options;
    options.width = width;
    options.height = height;
    return open_source(dir / "a/bird.png", options)->next()->bgr.size();
  };

  EXPECT_EQ(size_with(0, 0), cv::Size(80, 60));
  EXPECT_EQ(size_with(32, 32), cv::Size(32, 32));
  EXPECT_EQ(size_with(40, 0), cv::Size(40, 30));
  EXPECT_EQ(size_with(0, 120), cv::Size(160, 120));
}

TEST(FrameSource, SaysWhatWasExpectedIfItCannotBeOpened)
{
  const test::TemporaryDirectory dir;
  std::ofstream(dir / "notes.txt") << "neither image nor video";
  SourceOptions large;
  large.width = 100000;
  SourceOptions small_drawing;
  small_drawing.height = 4;

  EXPECT_TRUE(contains(message_of<FileError>(dir / "nothing"), "expected a folder of images"));
  EXPECT_TRUE(contains(message_of<FileError>(dir / "notes.txt"), "neither an image nor a video"));
  EXPECT_TRUE(contains(message_of<FileError>("987"), "/dev/video987: there is no such camera"));
  EXPECT_TRUE(contains(message_of<FileError>("/dev/video987"), "there is no such camera"));
  EXPECT_TRUE(contains(message_of<ConfigError>(dir / "notes.txt", large), "width: is 100000"));
  EXPECT_TRUE(contains(message_of<ConfigError>("birds", small_drawing), "height: is 4"));
}

TEST(VideoSource, GivesItsFramesAndItsOwnRate)
{
  const test::TemporaryDirectory dir;
  const std::string path = dir / "video.avi";
  {
    cv::VideoWriter writer(path, cv::VideoWriter::fourcc('M', 'J', 'P', 'G'), 12.5, {64, 48});
    ASSERT_TRUE(writer.isOpened());
    for (const int value : {40, 120, 200}) {
      writer.write(cv::Mat(48, 64, CV_8UC3, cv::Scalar::all(value)));
    }
  }
  SourceOptions options;
  options.loop = true;

  const auto once = open_source(path, {});
  const auto looping = open_source(path, options);

  ASSERT_TRUE(once->native_rate());
  EXPECT_NEAR(*once->native_rate(), 12.5, 1e-3);
  const auto frames = all_of(*once);
  ASSERT_EQ(frames.size(), 3u);
  EXPECT_NEAR(value_of(frames[0]), 40, 3);
  EXPECT_NEAR(value_of(frames[2]), 200, 3);
  EXPECT_EQ(frames[2].name, "video.avi/2");
  for (int i = 0; i < 7; ++i) {
    EXPECT_NEAR(value_of(*looping->next()), 40 + 80 * (i % 3), 3);
  }
}

TEST(BirdsSource, IsBalancedInEverySixFrames)
{
  SourceOptions options;
  options.width = options.height = 16;

  const auto source = open_source("birds", options);
  std::map<std::string, int> kinds, labels;
  for (int block = 0; block < 20; ++block) {
    for (int i = 0; i < 6; ++i) {
      const std::string label = source->next()->label;
      ++labels[label];
      ++kinds[label.substr(0, label.find('/'))];
    }
    EXPECT_EQ(kinds["known"], 3 * (block + 1));
    EXPECT_EQ(kinds["unseen_species"], block + 1);
    EXPECT_EQ(kinds["vehicles"], block + 1);
    EXPECT_EQ(kinds["textures"], block + 1);
  }

  // 60 known birds of 12 species, 20 each of 8 species, 4 vehicles and 5 textures.
  EXPECT_EQ(kinds.size(), 4u);
  EXPECT_EQ(labels.size(), 12u + 8u + 4u + 5u);
  EXPECT_EQ(labels["known/Collared_Plover"], 5);
  EXPECT_EQ(labels["vehicles/car"], 5);
  EXPECT_EQ(labels["textures/stripes"], 4);
}

TEST(BirdsSource, IsTheSameForTheSameSeedOnly)
{
  SourceOptions options;
  options.width = options.height = 24;
  SourceOptions other_options = options;
  other_options.seed = 2;

  const auto first = open_source("birds", options);
  const auto same = open_source("birds", options);
  const auto other = open_source("birds", other_options);

  int different = 0;
  for (int i = 0; i < 12; ++i) {
    const SourceFrame frame = *first->next(), twin = *same->next();
    EXPECT_EQ(frame.label, twin.label);
    EXPECT_EQ(frame.name, twin.name);
    EXPECT_EQ(cv::norm(frame.bgr, twin.bgr, cv::NORM_INF), 0);
    different += cv::norm(frame.bgr, other->next()->bgr, cv::NORM_INF) > 0 ? 1 : 0;
  }
  EXPECT_EQ(different, 12);
}

TEST(BirdsSource, IsSquareUnlessBothSidesAreGiven)
{
  const auto size_with = [&](int width, int height) {
    SourceOptions options;
    options.width = width;
    options.height = height;
    return draw_birds(options)->next()->bgr.size();
  };

  EXPECT_EQ(size_with(0, 0), cv::Size(320, 320));
  EXPECT_EQ(size_with(48, 0), cv::Size(48, 48));
  EXPECT_EQ(size_with(0, 48), cv::Size(48, 48));
  EXPECT_EQ(size_with(64, 48), cv::Size(64, 48));
}

/// Counts up, and ends or fails after some frames.
class Counter : public FrameSource
{
public:
  Counter(int count, bool fail, std::atomic<int> & taken)
  : count_(count), fail_(fail), taken_(taken)
  {
  }
  std::optional<SourceFrame> next() override
  {
    if (taken_ == count_) {
      if (fail_) {
        throw Error("broken");
      }
      return std::nullopt;
    }
    return SourceFrame{cv::Mat(1, 1, CV_8UC3), "", std::to_string(taken_++)};
  }

private:
  int count_;
  bool fail_;
  std::atomic<int> & taken_;
};

TEST(ReadAhead, GivesTheSameFramesInOrderAndThenTheEnd)
{
  std::atomic<int> taken{0};
  const auto source = read_ahead(std::make_unique<Counter>(20, false, taken), 3);

  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(source->next()->name, std::to_string(i));
  }
  EXPECT_FALSE(source->next());
  EXPECT_FALSE(source->next());
}

TEST(ReadAhead, TakesOnlySoManyFramesInAdvanceAndEndsWithFramesLeft)
{
  std::atomic<int> taken{0};
  {
    const auto source = read_ahead(std::make_unique<Counter>(1000, false, taken), 3);
    EXPECT_EQ(source->next()->name, "0");
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  EXPECT_LE(taken, 1 + 3 + 1);  // given, in the queue, waiting for room in it
}

TEST(ReadAhead, PassesAFailureOnAfterTheFramesBeforeIt)
{
  std::atomic<int> taken{0};
  const auto source = read_ahead(std::make_unique<Counter>(2, true, taken), 3);

  EXPECT_TRUE(source->next());
  EXPECT_TRUE(source->next());
  EXPECT_THROW(source->next(), Error);
}

TEST(HeldSource, LooksAtEachImageForAWhileAndIsNeverStill)
{
  const mgproto::test::TemporaryDirectory directory;
  cv::Mat scene(60, 80, CV_8UC3);
  cv::randu(scene, 0, 255);
  std::filesystem::create_directories(directory / "a");
  cv::imwrite(directory / "a/1.png", scene);
  cv::imwrite(directory / "a/2.png", cv::Mat(60, 80, CV_8UC3, cv::Scalar::all(9)));
  SourceOptions options;
  options.hold = 4;

  const std::vector<SourceFrame> frames = all_of(*open_source(directory / "", options));

  ASSERT_EQ(frames.size(), 8u);
  EXPECT_EQ(cv::norm(frames[0].bgr, scene, cv::NORM_INF), 0) << "begins with the image itself";
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(frames[i].name, "a/1.png");
    EXPECT_EQ(frames[i].label, "a");
    EXPECT_EQ(frames[i].bgr.size(), scene.size());
    EXPECT_EQ(frames[4 + i].name, "a/2.png");
    EXPECT_EQ(value_of(frames[4 + i]), 9) << "nothing comes in from outside";
    for (int j = 0; j < i; ++j) {
      EXPECT_GT(cv::norm(frames[i].bgr, frames[j].bgr, cv::NORM_INF), 10);
    }
  }
}

}  // namespace
}  // namespace mgproto::tools
