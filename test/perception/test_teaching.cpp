// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// What a running node did not know gets a name: with a small model of three colours.

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "child_process.hpp"
#include "contains.hpp"
#include "perception/perception_test.hpp"
#include "teach/discs.hpp"
#include "temporary_directory.hpp"

namespace mgproto::perception::test
{
namespace
{

namespace fs = std::filesystem;

using mgproto::test::disc;
using mgproto::test::kColours;
using mgproto::test::kViolet;
using mgproto::test::kYellow;

class TeachingTest : public PerceptionTest
{
protected:
  TeachingTest() { settings.model = MGPROTO_TEACHABLE_MODEL; }

  RegionPrediction show(const cv::Scalar & colour, int index = 7000)
  {
    return answer_to(frame_of(disc(colour, index), ++sec_)).regions.front();
  }
  /// Until the worker has put the last ones into the album.
  AlbumState album_with(std::size_t count)
  {
    for (int i = 0; i < 500 && perception->album().images.size() != count; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return perception->album();
  }
  /// Shows so many discs and gives their ids in the album.
  std::vector<std::uint32_t> unknown_discs(const cv::Scalar & colour, std::size_t count)
  {
    const std::size_t before = perception->album().images.size();
    for (int index = 100; perception->album().images.size() < before + count && index < 400;
         ++index) {
      show(colour, index);
    }
    show(kColours[0]);  // which comes behind the last one's place in the album
    std::vector<std::uint32_t> ids;
    for (const Album::Image & image : perception->album().images) {
      ids.push_back(image->id);
    }
    ids.erase(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(before));
    return ids;
  }
  /// Of nine discs that nobody has seen. Which ones taught the class may depend on the time.
  int recognised_as(int class_id, const cv::Scalar & colour)
  {
    int count = 0;
    for (int index = 8000; index < 8009; ++index) {
      count += show(colour, index).prediction.class_id == class_id ? 1 : 0;
    }
    return count;
  }
  std::string model_id() const { return perception->model()->id; }

  const mgproto::test::TemporaryDirectory directory;

private:
  int sec_ = 0;
};

std::string content_of(const std::string & path)
{
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_F(TeachingTest, WhatIsNotKnownComesIntoTheAlbumAndWhatIsKnownDoesNot)
{
  settings.album_directory = directory / "album";
  start();
  EXPECT_EQ(show(kColours[1]).prediction.verdict, Verdict::known);
  int index = 7000;
  while (show(kYellow, index).prediction.verdict != Verdict::unknown) {
    ASSERT_LT(++index, 7100);
  }
  const RegionPrediction unknown = show(kYellow, index);

  const AlbumState album = album_with(1);

  ASSERT_EQ(album.images.size(), 1u);
  const AlbumImage & image = *album.images.front();
  EXPECT_GE(image.header.stamp.sec, 2);
  EXPECT_EQ(image.header.frame_id, "camera0_optical");
  EXPECT_EQ(image.reason, unknown.reason);
  EXPECT_FALSE(image.nearest_class.empty());
  EXPECT_FALSE(image.jpeg.empty());
  EXPECT_EQ(album.problem, "");
  EXPECT_FALSE(album.can_undo);
  show(kColours[1]);
  EXPECT_EQ(perception->album().images.size(), 1u);
  perception.reset();
  EXPECT_EQ(
    std::distance(fs::directory_iterator(directory / "album"), fs::directory_iterator()), 2);
}

TEST_F(TeachingTest, ANameMakesItKnownAndUndoTakesItBack)
{
  start();
  const std::string first = model_id();
  const RegionPrediction before = show(kYellow);
  const std::vector<std::uint32_t> ids = unknown_discs(kYellow, 5);
  ASSERT_GE(ids.size(), 3u);
  TeachRequest request;
  request.name = "yellow";
  request.album_ids = ids;

  const TeachAnswer taught = perception->teach(request);

  ASSERT_TRUE(taught.success) << taught.message;
  EXPECT_TRUE(contains(taught.message, "'yellow' is known from")) << taught.message;
  EXPECT_TRUE(contains(taught.message, "teach.directory is not set")) << taught.message;
  EXPECT_EQ(taught.classes, 4u);
  EXPECT_EQ(taught.model_id, model_id());
  EXPECT_NE(taught.model_id, first);
  EXPECT_GE(recognised_as(3, kYellow), 3);
  const AlbumState album = perception->album();
  EXPECT_EQ(album.taught, std::vector<std::string>{"yellow"});
  EXPECT_TRUE(album.can_undo);
  for (const Album::Image & image : album.images) {
    EXPECT_EQ(std::count(ids.begin(), ids.end(), image->id), 0) << "is known now";
  }

  EXPECT_TRUE(perception->undo().success);

  EXPECT_EQ(model_id(), first);
  EXPECT_EQ(show(kYellow).prediction.log_likelihood, before.prediction.log_likelihood);
  EXPECT_FALSE(perception->undo().success);
}

TEST_F(TeachingTest, WhatTheCameraSeesNowIsEnough)
{
  settings.cameras = {"front", "rear"};
  start();
  std::atomic<bool> stop{false};
  std::thread camera([&] {
    for (int i = 0; !stop; ++i) {
      perception->add_frame(frame_of(disc(kViolet, 300 + i), 1000 + i, 1));
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  });
  TeachRequest request;
  request.name = "violet";
  request.camera = "rear";
  request.images = 6;

  const TeachAnswer answer = perception->teach(request);

  stop = true;
  camera.join();
  ASSERT_TRUE(answer.success) << answer.message;
  const TaughtClass & taught = perception->model()->manifest.taught.front();
  EXPECT_EQ(taught.images.size(), 6u);
  EXPECT_TRUE(contains(taught.images.front().name, "rear 1")) << taught.images.front().name;
}

TEST_F(TeachingTest, ABoxChoosesWhatIsLookedAt)
{
  start();
  std::atomic<bool> stop{false};
  std::thread camera([&] {
    for (int i = 0; !stop; ++i) {
      cv::Mat scene(200, 300, CV_8UC3, cv::Scalar(120, 120, 120));
      disc(kViolet, 300 + i).copyTo(scene(cv::Rect(40, 30, 48, 48)));
      perception->add_frame(frame_of(scene, 1000 + i));
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  });
  TeachRequest request;
  request.name = "violet";
  request.images = 5;
  request.box = {40, 30, 48, 48};
  const TeachAnswer inside = perception->teach(request);
  request.box = {400, 30, 48, 48};
  const TeachAnswer outside = perception->teach(request);
  stop = true;
  camera.join();

  ASSERT_TRUE(inside.success) << inside.message;
  EXPECT_EQ(perception->model()->manifest.taught.front().images.front().width, 48);
  EXPECT_GE(recognised_as(3, kViolet), 2);
  EXPECT_FALSE(outside.success);
  EXPECT_TRUE(contains(outside.message, "outside of the camera's image of 300x200"))
    << outside.message;
}

TEST_F(TeachingTest, RequestsThatCannotBeMetChangeNothing)
{
  settings.teach_directory = directory / "taught";
  start();
  const std::string first = model_id();
  const std::vector<std::uint32_t> ids = unknown_discs(kYellow, 2);
  const auto refused = [&](const std::string & name, const std::vector<std::uint32_t> & of) {
    TeachRequest request;
    request.name = name;
    request.album_ids = of;
    const TeachAnswer answer = perception->teach(request);
    EXPECT_FALSE(answer.success) << name;
    EXPECT_EQ(answer.model_id, first);
    return answer.message;
  };

  EXPECT_TRUE(contains(refused("", ids), "1 to 100 bytes"));
  EXPECT_TRUE(contains(refused(std::string(101, 'x'), ids), "1 to 100 bytes"));
  EXPECT_TRUE(contains(refused("a\nb", ids), "control character"));
  EXPECT_TRUE(contains(refused("\xff", ids), "not UTF-8"));
  EXPECT_TRUE(contains(refused("wren", ids), "is a class of this model already"));
  EXPECT_TRUE(contains(refused("yellow", {ids[0], 999}), "no image 999 in the album"));
  EXPECT_TRUE(contains(refused("yellow", {ids[0], ids[0]}), "named twice"));
  EXPECT_TRUE(
    contains(refused("yellow", std::vector<std::uint32_t>(65, ids[0])), "expected 1 to 64"));
  TeachRequest of_camera;
  of_camera.name = "yellow";
  of_camera.camera = "left";
  EXPECT_TRUE(contains(perception->teach(of_camera).message, "no camera 'left' here"));
  EXPECT_FALSE(perception->forget("wren").success) << "trained on";
  EXPECT_FALSE(perception->forget("nobody").success);
  EXPECT_FALSE(perception->undo().success);

  EXPECT_EQ(model_id(), first);
  EXPECT_FALSE(perception->album().can_undo);
  EXPECT_EQ(perception->album().images.size(), ids.size());
}

TEST_F(TeachingTest, ItComesBackWithTheNextStartAndTheModelsFileIsNeverTouched)
{
  const std::string base = directory / "base.safetensors";
  fs::copy(MGPROTO_TEACHABLE_MODEL, base);
  const std::string bytes = content_of(base);
  settings.model = base;
  settings.teach_directory = directory / "taught";
  start();
  TeachRequest request;
  request.name = "yellow";
  request.album_ids = unknown_discs(kYellow, 4);
  ASSERT_TRUE(perception->teach(request).success);
  const std::string taught = model_id();
  const RegionPrediction before = show(kYellow);

  start();  // the one before ends

  EXPECT_EQ(model_id(), taught);
  EXPECT_EQ(show(kYellow).prediction.log_likelihood, before.prediction.log_likelihood);
  EXPECT_TRUE(perception->album().can_undo);
  EXPECT_EQ(content_of(base), bytes);

  ASSERT_TRUE(perception->forget("yellow").success);
  EXPECT_EQ(perception->album().taught, std::vector<std::string>{});
  ASSERT_TRUE(perception->undo().success) << "forgetting, too, can be taken back";
  EXPECT_EQ(model_id(), taught);
}

TEST_F(TeachingTest, AVersionThatCannotBeReadIsLeftOut)
{
  settings.teach_directory = directory / "taught";
  start();
  TeachRequest request;
  request.name = "yellow";
  request.album_ids = unknown_discs(kYellow, 4);
  ASSERT_TRUE(perception->teach(request).success);
  const std::string path = perception->model()->path;
  perception.reset();
  std::ofstream(path, std::ios::in | std::ios::binary).seekp(5000).write("damage", 6);

  start();

  EXPECT_EQ(perception->model()->path, settings.model);
  ASSERT_FALSE(outputs.faults().empty());
  EXPECT_TRUE(contains(outputs.faults().back(), path)) << outputs.faults().back();
}

constexpr const char * kTeachDirectory = "MGPROTO_TEST_TEACH_DIRECTORY";

/// The process that the next test kills. It would teach on and on.
TEST_F(TeachingTest, DISABLED_TeachesAndTakesBackUntilItIsKilled)
{
  const char * where = std::getenv(kTeachDirectory);
  ASSERT_NE(where, nullptr);
  settings.teach_directory = where;
  start();
  std::thread([this] {
    for (int i = 0; true; ++i) {
      perception->add_frame(frame_of(disc(kYellow, i), 5000 + i));
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }).detach();
  TeachRequest request;
  for (int step = 0; true; ++step) {
    request.name = "colour " + std::to_string(step);
    ASSERT_TRUE(perception->teach(request).success);
    std::puts("taught");
    std::fflush(stdout);
    if (step % 3 == 2) {
      ASSERT_TRUE(perception->undo().success);
    }
  }
}

TEST_F(TeachingTest, KilledWhileItIsTaughtItComesBackWithAModelFromBeforeOrBehindTheStep)
{
  settings.teach_directory = directory / "taught";
  ASSERT_EQ(setenv(kTeachDirectory, settings.teach_directory.c_str(), 1), 0);
  for (int delay = 0; delay < 10; ++delay) {
    mgproto::test::ChildProcess child(
      {"/proc/self/exe", "--gtest_also_run_disabled_tests",
       "--gtest_filter=TeachingTest.DISABLED_TeachesAndTakesBackUntilItIsKilled"});
    ASSERT_FALSE(child.wait_for_line("taught").empty());
    std::this_thread::sleep_for(std::chrono::milliseconds(7 * delay));
    child.kill_now();

    start();

    EXPECT_TRUE(outputs.faults().empty()) << outputs.faults().back();
    EXPECT_TRUE(perception->album().can_undo);
    EXPECT_EQ(show(kColours[1]).prediction.verdict, Verdict::known);
    perception.reset();
  }
}

TEST_F(TeachingTest, AnotherModelHasAnotherAlbumAndKeepsWhatItWasTaught)
{
  settings.teach_directory = directory / "taught";
  start();
  TeachRequest request;
  request.name = "yellow";
  request.album_ids = unknown_discs(kYellow, 4);
  ASSERT_TRUE(perception->teach(request).success);
  const std::string taught = model_id();
  unknown_discs(kViolet, 2);

  perception->load_model(kDemoModel);

  EXPECT_TRUE(perception->album().images.empty());
  EXPECT_FALSE(perception->album().can_undo);
  EXPECT_TRUE(contains(perception->album().problem, "calibrate")) << "it keeps no images";
  perception->load_model(MGPROTO_TEACHABLE_MODEL);
  EXPECT_EQ(model_id(), taught);
}

TEST_F(TeachingTest, WhileDisabledNothingIsTaughtAndNothingIsLost)
{
  start();
  TeachRequest request;
  request.name = "yellow";
  request.album_ids = unknown_discs(kYellow, 4);
  ASSERT_TRUE(perception->teach(request).success);
  const std::string taught = model_id();

  perception->set_enabled(false);

  EXPECT_EQ(perception->undo().success, false);
  EXPECT_EQ(perception->album().problem, "the node is disabled");
  perception->set_enabled(true);
  EXPECT_EQ(model_id(), taught);
}

TEST_F(TeachingTest, WithoutAnAlbumNothingIsKept)
{
  settings.album_size = 0;
  start();
  show(kYellow);
  show(kColours[0]);

  EXPECT_TRUE(perception->album().images.empty());
}

TEST_F(TeachingTest, NoFrameFailsWhileItIsTaughtAgainAndAgain)
{
  start();
  const std::vector<std::uint32_t> ids = unknown_discs(kYellow, 4);
  std::atomic<bool> stop{false};
  std::atomic<int> sent{0};
  std::thread camera([&] {
    while (!stop) {
      perception->add_frame(frame_of(disc(kColours[sent % 3], sent), 5000 + sent));
      ++sent;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  });
  TeachRequest request;
  request.name = "yellow";
  request.album_ids = ids;
  for (int i = 0; i < 5; ++i) {
    EXPECT_TRUE(perception->teach(request).success);
    EXPECT_TRUE(perception->undo().success);
    request.album_ids.clear();  // they have left the album
    request.images = 2;
  }
  stop = true;
  camera.join();

  const CameraStatistics statistics = settled();
  EXPECT_EQ(statistics.dropped.at(Drop::failed), 0u);
  EXPECT_EQ(statistics.invalid, 0u);
  EXPECT_GT(statistics.answered, 20u);
}

}  // namespace
}  // namespace mgproto::perception::test
