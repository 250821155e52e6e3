// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// The backbone and the model of real products that come with the package, on the photographs that come
// with them; the model saw none of these. Limits are a few images beside what it does today. The drawn
// birds' model: test_demo_model.cpp.

#include <gtest/gtest.h>

#include <filesystem>

#include "mgproto_ros/recognizer.hpp"
#include "model/checkpoint_file.hpp"
#include "model/image_file.hpp"

namespace mgproto
{
namespace
{

const std::string kConfig = std::string(MGPROTO_SOURCE_DIR) + "/config";
const std::string kBackbone = kConfig + "/models/resnet50_imagenet.safetensors";
const std::string kGroceries = kConfig + "/models/groceries.safetensors";

TEST(ShippedModels, AreSmall)
{
  EXPECT_LT(std::filesystem::file_size(kBackbone), 26e6);
  EXPECT_LT(std::filesystem::file_size(kGroceries), 9e6);
  std::uintmax_t photographs = 0;
  for (const auto & file : std::filesystem::recursive_directory_iterator(kConfig + "/groceries")) {
    photographs += file.is_regular_file() ? file.file_size() : 0;
  }
  EXPECT_LT(photographs, 6e6);
}

TEST(ShippedModels, TheBackboneIsAResNet50InEightBits)
{
  const CheckpointFile file = CheckpointFile::open(kBackbone);
  EXPECT_EQ(file.manifest().stage, Stage::backbone);
  EXPECT_EQ(file.manifest().model.backbone.architecture, "resnet50");
  EXPECT_EQ(file.manifest().model.backbone.map, BackboneConfig::Map::hypercolumn);
  EXPECT_TRUE(file.manifest().model.backbone.stride_in_1x1);
  EXPECT_EQ(file.tensor("backbone.conv1.weight").dtype, DType::i8);
}

/// What the model makes of six photographs of each product.
struct Tally
{
  int images = 0;
  int right = 0;
  int known = 0;
  double typicality = 0;  ///< summed up
};

Tally tally(Recognizer & recognizer, const std::string & folder)
{
  Tally result;
  for (const auto & file : std::filesystem::recursive_directory_iterator(folder)) {
    if (!file.is_regular_file()) {
      continue;
    }
    const cv::Mat image = read_image(file.path());
    const Prediction prediction = recognizer.recognize(view_of(image));
    const std::string product = file.path().parent_path().filename();
    ++result.images;
    result.right += recognizer.manifest().classes.at(prediction.class_id) == product ? 1 : 0;
    result.known += prediction.verdict == Verdict::known ? 1 : 0;
    result.typicality += *prediction.typicality;
  }
  return result;
}

/// Near strangers are the hard ones (docs/results/rejection.md): they are less typical, and most of
/// them pass all the same.
TEST(ShippedModels, GroceriesAreRecognisedAndOtherProductsAreLessTypical)
{
  Recognizer recognizer(kGroceries);

  const Tally test = tally(recognizer, kConfig + "/groceries/test");
  EXPECT_EQ(test.images, 28 * 6);
  EXPECT_GE(test.right, 156);  // 160
  EXPECT_GE(test.known, 160);  // 165

  const Tally unseen = tally(recognizer, kConfig + "/groceries/unseen");
  EXPECT_EQ(unseen.images, 12 * 6);
  EXPECT_LE(unseen.known, 66);  // 63
  EXPECT_LT(unseen.typicality / unseen.images, 0.5 * test.typicality / test.images);
}

TEST(ShippedModels, WhatIsNoProductAtAllIsUnknown)
{
  Recognizer recognizer(kGroceries);
  cv::Mat noise(240, 320, CV_8UC3);
  cv::RNG(1).fill(noise, cv::RNG::UNIFORM, 0, 256);
  EXPECT_EQ(recognizer.recognize(view_of(noise)).verdict, Verdict::unknown);
  const cv::Mat grey(240, 320, CV_8UC3, cv::Scalar(128, 128, 128));
  EXPECT_EQ(recognizer.recognize(view_of(grey)).verdict, Verdict::unknown);
  for (const char * name : {"img0.png", "img1.png"}) {
    const cv::Mat image = read_image(std::string(MGPROTO_TEST_DATA) + "/pil/" + name);
    EXPECT_EQ(recognizer.recognize(view_of(image)).verdict, Verdict::unknown) << name;
  }
}

}  // namespace
}  // namespace mgproto
