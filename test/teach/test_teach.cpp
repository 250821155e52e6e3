// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// Teaching a finished model another class, and making it forget. The network's weights are random, and
// its classes are colours, which such a network tells apart well.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <iterator>

#include "contains.hpp"
#include "mgproto_ros/error.hpp"
#include "mgproto_ros/recognizer.hpp"
#include "model/image_file.hpp"
#include "model/teach.hpp"
#include "teach/teachable_model.hpp"
#include "teach/three_colours.hpp"
#include "temporary_directory.hpp"

namespace mgproto
{
namespace
{

using test::disc;
using test::discs;
using test::kColours;
using test::kViolet;
using test::kYellow;
using test::three_colours;

constexpr const char * kWhen = "2026-01-31T23:59:59Z";

std::string bytes_of(const std::string & path)
{
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string bytes_of(const Checkpoint & model)
{
  const test::TemporaryDirectory directory;
  save_checkpoint(directory / "model.safetensors", *model.network, model.manifest);
  return bytes_of(directory / "model.safetensors");
}

/// Predictions of so many new discs, by a model that went through a file.
std::vector<Prediction> predictions(
  const Checkpoint & model, const cv::Scalar & colour, int count = 20)
{
  const test::TemporaryDirectory directory;
  save_checkpoint(directory / "model.safetensors", *model.network, model.manifest);
  Recognizer recognizer(directory / "model.safetensors");
  std::vector<Prediction> all;
  for (int i = 0; i < count; ++i) {
    all.push_back(recognizer.recognize(view_of(disc(colour, 5000 + i))));
  }
  return all;
}

int known_as(const std::vector<Prediction> & all, int class_id)
{
  return static_cast<int>(std::count_if(all.begin(), all.end(), [&](const Prediction & one) {
    return one.class_id == class_id && one.verdict == Verdict::known;
  }));
}

class Teach : public testing::TestWithParam<double>
{
};
INSTANTIATE_TEST_SUITE_P(WithAndWithoutAWhole, Teach, testing::Values(0.5, 0.0));

TEST(Teaching, AStrangerIsKnownAfterTenImagesOfIt)
{
  Checkpoint model = three_colours();
  for (int c = 0; c < 3; ++c) {
    EXPECT_GE(known_as(predictions(model, kColours[c]), c), 12) << c;
  }
  const Checkpoint taught = teach_images(model, "yellow", discs(kYellow, 10), kWhen);
  EXPECT_EQ(taught.manifest.classes.back(), "yellow");
  EXPECT_GE(known_as(predictions(taught, kYellow), 3), 10);
  for (int c = 0; c < 3; ++c) {
    EXPECT_GE(known_as(predictions(taught, kColours[c]), c), 12) << c;
  }
}

TEST(Teaching, WithoutAWholePrototypesAloneTellTheNewClass)
{
  Checkpoint model = three_colours(/*whole=*/0);
  const Checkpoint taught = teach_images(model, "yellow", discs(kYellow, 10), kWhen);
  const std::vector<Prediction> all = predictions(taught, kYellow);
  EXPECT_GE(
    std::count_if(all.begin(), all.end(), [](const auto & one) { return one.class_id == 3; }), 15);
}

TEST_P(Teach, OldClassesChangeOnlyWhereTheNewOneWins)
{
  Checkpoint model = three_colours(GetParam());
  const Checkpoint taught = teach_images(model, "yellow", discs(kYellow, 6), kWhen);
  for (const cv::Scalar & colour : kColours) {
    const auto before = predictions(model, colour);
    const auto after = predictions(taught, colour);
    for (std::size_t i = 0; i < before.size(); ++i) {
      EXPECT_TRUE(after[i].class_id == before[i].class_id || after[i].class_id == 3);
      // Its own class is less likely where the whole is more like the new one's than like any other's.
      const int own = before[i].class_id;
      EXPECT_LE(after[i].log_likelihood[own], before[i].log_likelihood[own] + 1e-4);
      for (int c = 0; GetParam() == 0 && c < 3; ++c) {
        EXPECT_NEAR(after[i].log_likelihood[c], before[i].log_likelihood[c], 1e-4);
      }
    }
  }
}

TEST_P(Teach, EveryPrototypeIsAPatchOfAnImageThatWasShown)
{
  Checkpoint model = three_colours(GetParam());
  const Checkpoint taught = teach_images(model, "yellow", discs(kYellow, 6), kWhen);
  const auto [begin, end] = taught.network->gaussian_head().range_of(3);
  EXPECT_EQ(end - begin, 4);
  for (std::int64_t k = begin; k < end; ++k) {
    const auto & source = taught.manifest.prototypes.at(k);
    ASSERT_TRUE(source);
    EXPECT_EQ(source->image.rfind("disc100", 0), 0u) << source->image;
    EXPECT_GT(source->box.width, 0);
    const cv::Mat patch = decode_image(source->patch.data(), source->patch.size());
    EXPECT_FALSE(patch.empty());
  }
}

TEST_P(Teach, TwiceIsAsAllAtOnce)
{
  Checkpoint model = three_colours(GetParam());
  Checkpoint once = teach_images(model, "yellow", discs(kYellow, 4), kWhen);
  const Checkpoint twice = teach_images(once, "yellow", discs(kYellow, 4, 1004), kWhen);
  EXPECT_EQ(bytes_of(twice), bytes_of(teach_images(model, "yellow", discs(kYellow, 8), kWhen)));
}

TEST_P(Teach, TwoHundredSequencesEndAsIfOnlyWhatIsLeftHadBeenTaught)
{
  struct Class
  {
    std::string name;
    std::vector<LessonImage> images;
  };
  Checkpoint base = three_colours(GetParam());
  const std::string untaught = bytes_of(base);
  for (std::uint64_t sequence = 0; sequence < 200; ++sequence) {
    Random random{77, sequence};
    std::vector<std::pair<Checkpoint, std::vector<Class>>> history{{base, {}}};
    for (int step = 0; step < 4; ++step) {
      auto [model, classes] = history.back();
      const int act = random.index(3);
      if (act == 0 && history.size() > 1) {
        history.pop_back();  // undo
      } else if (act == 1 && !classes.empty()) {
        const int which = random.index(static_cast<int>(classes.size()));
        const Checkpoint fewer = without_class(model, classes[which].name);
        classes.erase(classes.begin() + which);
        history.emplace_back(fewer, classes);
      } else {
        const int hue = random.index(200);
        const Class one{
          "class" + std::to_string(sequence) + "_" + std::to_string(step),
          discs(cv::Scalar(hue, 200, 255 - hue), 1 + random.index(2), 100 * sequence)};
        classes.push_back(one);
        history.emplace_back(teach_images(model, one.name, one.images, kWhen), classes);
      }
    }
    Checkpoint straight = base;
    for (const Class & one : history.back().second) {
      straight = teach_images(straight, one.name, one.images, kWhen);
    }
    ASSERT_EQ(bytes_of(history.back().first), bytes_of(straight)) << sequence;
  }
  EXPECT_EQ(bytes_of(base), untaught);
}

TEST(Teaching, ThePromiseIsMadeAnewWithWhatWasShown)
{
  Checkpoint model = three_colours();
  const Checkpoint taught = teach_images(model, "yellow", discs(kYellow, 6), kWhen);
  EXPECT_EQ(
    taught.manifest.calibration->log_density.size(),
    model.manifest.calibration->log_density.size() + 6);
  const Checkpoint from_one = teach_images(model, "yellow", discs(kYellow, 1), kWhen);
  EXPECT_EQ(
    from_one.manifest.calibration->log_density.size(),
    model.manifest.calibration->log_density.size());
  EXPECT_NE(caution_for(1), "");
  EXPECT_EQ(caution_for(10), "");
}

TEST(Teaching, KeepsTheNewestImagesOfMany)
{
  Checkpoint model = three_colours();
  Checkpoint once = teach_images(model, "yellow", discs(kYellow, 40), kWhen);
  const Checkpoint twice = teach_images(once, "yellow", discs(kYellow, 40, 2000), kWhen);
  EXPECT_EQ(twice.manifest.taught[0].images.size(), kMostShown);
  EXPECT_EQ(twice.manifest.taught[0].images.back().name, "disc2039");
}

std::string refusal(const std::function<void()> & act)
{
  try {
    act();
  } catch (const Error & error) {
    return error.what();
  }
  return "no error";
}

TEST(Teaching, WhatCannotBeTaughtIsNamed)
{
  Checkpoint model = three_colours();
  const auto teach = [&](const std::string & name, const std::vector<LessonImage> & images) {
    return refusal([&] { teach_images(model, name, images, kWhen); });
  };
  EXPECT_EQ(teach("", discs(kYellow, 1)), "name: expected 1 to 100 bytes");
  EXPECT_EQ(teach(std::string(101, 'x'), discs(kYellow, 1)), "name: expected 1 to 100 bytes");
  EXPECT_TRUE(contains(teach("a\nb", discs(kYellow, 1)), "control character"));
  EXPECT_EQ(teach("\xff", discs(kYellow, 1)), "name: is not UTF-8");
  EXPECT_EQ(teach("yellow", {}), "no image to teach 'yellow' by");
  EXPECT_TRUE(contains(teach("yellow", {{"empty.png", cv::Mat()}}), "empty.png"));
  EXPECT_EQ(teach("wren", discs(kYellow, 1)), "'wren' is a class of this model already");

  Checkpoint plain{test::small_manifest(), test::small_network()};
  EXPECT_TRUE(contains(
    refusal([&] { teach_images(plain, "yellow", discs(kYellow, 1), kWhen); }), "familiar"));
}

TEST(Forget, OnlyWhatWasTaught)
{
  Checkpoint model = three_colours();
  EXPECT_TRUE(contains(refusal([&] { without_class(model, "wren"); }), "only taught ones"));
  EXPECT_EQ(refusal([&] { without_class(model, "yellow"); }), "no class 'yellow' in this model");
}

TEST(Teaching, FilesAreWrittenAndTheFirstOneStaysAsItWas)
{
  const test::TemporaryDirectory directory;
  const Checkpoint model = three_colours();
  save_checkpoint(directory / "model.safetensors", *model.network, model.manifest);
  const std::string before = bytes_of(directory / "model.safetensors");
  const auto name = [&](const char * file) { return directory / file; };

  const Manifest taught = TeachableModel(name("model.safetensors"), {})
                            .taught("yellow", discs(kYellow, 5), name("a.safetensors"))
                            .manifest();
  const TeachableModel read(name("a.safetensors"), {});
  const TeachableModel both = read.taught("violet", discs(kViolet, 5), name("b.safetensors"));
  const Manifest left = both.without("yellow", name("c.safetensors")).manifest();
  read.without("yellow", name("d.safetensors"));

  EXPECT_EQ(taught.taught[0].images.size(), 5u);
  EXPECT_FALSE(taught.taught[0].images[0].picture.empty());
  EXPECT_EQ(left.classes.back(), "violet");
  EXPECT_EQ(bytes_of(name("model.safetensors")), before);
  EXPECT_EQ(bytes_of(name("d.safetensors")), before);
}

}  // namespace
}  // namespace mgproto
