// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// Each measure of belief on maps, images and patches made so that its value is known, and on what
// would fool it: a prototype that always looks at the centre, and one whose map is constant. All of
// them on drawn birds: test_interpretability.cpp.

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include "training/measure/interpret/belief.hpp"
#include "training/measure/interpret/likeness.hpp"
#include "training/measure/interpret/observed_image.hpp"

namespace mgproto
{
namespace
{

constexpr int kSize = 112;  // pixels a side of the input; a cell of the maps [7, 7] has 16

torch::Tensor map_with_peak(int row, int col)
{
  torch::Tensor map = torch::full({7, 7}, 0.1f);
  map[row][col] = 1;
  return map;
}

const torch::Tensor kConstantMap = torch::full({7, 7}, 0.7f);
const torch::Tensor kCentreMap = map_with_peak(3, 3);

/// What is shown of prototypes that add equally much, in their order.
std::vector<ShownPart> shown(const std::vector<torch::Tensor> & maps)
{
  const auto count = static_cast<std::int64_t>(maps.size());
  return shown_parts(torch::stack(maps), torch::full({count}, 0.1f), {0, count}, kSize);
}

/// Everything, or the box alone.
cv::Mat object_mask(const cv::Rect & box)
{
  cv::Mat mask = cv::Mat::zeros(kSize, kSize, CV_8U);
  mask(box).setTo(255);
  return mask;
}

TEST(ShownParts, AreThoseOfTheClassThatAddMost)
{
  std::vector<torch::Tensor> maps;
  for (int i = 0; i < 6; ++i) {
    maps.push_back(map_with_peak(i, 6 - i));
  }
  // The first prototype is of another class.
  const torch::Tensor shares = torch::tensor({1.f, 0.1f, 0.3f, 0.05f, 0.05f, 0.5f});

  const auto parts = shown_parts(torch::stack(maps), shares, {1, 6}, kSize);

  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[0].prototype, 5);
  EXPECT_EQ(parts[1].prototype, 2);
  EXPECT_EQ(parts[2].prototype, 1);
  EXPECT_EQ(parts[0].cell, cv::Point(1, 5));
  EXPECT_EQ(parts[0].likelihood, 1);
  EXPECT_TRUE(parts[0].box.contains(parts[0].maximum));
  EXPECT_NEAR(parts[0].maximum.x, 24, 1);
  EXPECT_NEAR(parts[0].maximum.y, 88, 1);
  EXPECT_TRUE(parts[0].is_part);
  EXPECT_EQ(shown_parts(torch::stack(maps), shares, {0, 1}, kSize).size(), 1u);
}

TEST(ShownParts, AreNoneWhereANumberIsNotFinite)
{
  const torch::Tensor maps = torch::stack({kCentreMap, kCentreMap});
  EXPECT_TRUE(shown_parts(maps, torch::tensor({0.5f, NAN}), {0, 2}, kSize).empty());
  torch::Tensor broken = maps.clone();
  broken[1][0][0] = INFINITY;
  EXPECT_TRUE(shown_parts(broken, torch::full({2}, 0.5f), {0, 2}, kSize).empty());
}

TEST(ShownParts, AConstantMapShowsNone)
{
  const auto parts = shown({kConstantMap});
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0].box, cv::Rect(0, 0, kSize, kSize));
  EXPECT_FALSE(parts[0].is_part);
}

TEST(OnObjectTest, CountsTheMaximaInTheObject)
{
  OnObject on_object;
  EXPECT_FALSE(on_object.result());
  on_object.add(
    shown({map_with_peak(1, 1), map_with_peak(1, 2), map_with_peak(1, 4)}),
    object_mask({0, 0, 48, 48}));
  EXPECT_DOUBLE_EQ(on_object.result().value(), 2.0 / 3);
}

TEST(OnObjectTest, ThePrototypeAtTheCentreIsToldByObjectsElsewhereAndByItsReference)
{
  OnObject beside, around;
  beside.add(shown({kCentreMap}), object_mask({0, 0, 40, 112}));
  EXPECT_EQ(beside.result(), 0.0);
  EXPECT_EQ(beside.of_centre(), 0.0);
  around.add(shown({kCentreMap}), object_mask({20, 20, 60, 60}));
  EXPECT_EQ(around.result(), around.of_centre()) << "no better than the centre";
}

TEST(OnObjectTest, AConstantMapIsOnNothing)
{
  OnObject on_object;
  on_object.add(shown({kConstantMap}), object_mask({0, 0, kSize, kSize - 1}));
  EXPECT_EQ(on_object.result(), 0.0);
}

TEST(OnObjectTest, NothingIsSaidWithoutObjectBackgroundOrParts)
{
  OnObject on_object;
  on_object.add(shown({kCentreMap}), object_mask({}));
  on_object.add(shown({kCentreMap}), object_mask({0, 0, kSize, kSize}));
  on_object.add({}, object_mask({0, 0, 9, 9}));
  EXPECT_FALSE(on_object.result());
  EXPECT_FALSE(on_object.of_centre());
}

TEST(OnObjectTest, ABoxOfTheOriginalImageIsCutAndScaledAsTheImage)
{
  // 40x20 resized to 20x10, of which the 10 columns from 5 on are the input.
  const InputGeometry geometry{40, 20, 2, 2, 5, 0, 10};
  const cv::Mat mask = box_in_input({10, 4, 4, 99}, geometry);
  EXPECT_EQ(cv::boundingRect(mask), cv::Rect(0, 2, 2, 8));
  EXPECT_EQ(cv::countNonZero(box_in_input({0, 0, 10, 20}, geometry)), 0) << "outside the input";
}

TEST(ApartTest, PartsInThreePlacesAreApart)
{
  Apart apart;
  apart.add(shown({map_with_peak(1, 1), map_with_peak(1, 5), map_with_peak(5, 3)}));
  ASSERT_TRUE(apart.result());
  EXPECT_EQ(apart.result()->iou, 0);
  EXPECT_EQ(apart.result()->share, 1);
}

TEST(ApartTest, NeighbouringCellsAreNot)
{
  Apart apart;
  apart.add(shown({map_with_peak(1, 1), map_with_peak(1, 5), map_with_peak(2, 2)}));
  EXPECT_EQ(apart.result()->share, 0);
  apart.add(shown({map_with_peak(1, 1), map_with_peak(1, 5), map_with_peak(3, 1)}));
  EXPECT_EQ(apart.result()->share, 0.5) << "two cells away is enough";
  EXPECT_GT(apart.result()->iou, 0);
}

TEST(ApartTest, ThreePrototypesAtTheCentreAndConstantMapsAreOne)
{
  for (const torch::Tensor & map : {kCentreMap, kConstantMap}) {
    Apart apart;
    apart.add(shown({map, map, map}));
    EXPECT_EQ(apart.result()->iou, 1);
    EXPECT_EQ(apart.result()->share, 0);
  }
}

TEST(ApartTest, OnePartIsNotApartFromAnything)
{
  Apart apart;
  apart.add({});
  apart.add(shown({kCentreMap}));
  EXPECT_FALSE(apart.result());
}

/// A bright spot in the cell (1, 1) of a dark image.
class BoxRelevanceTest : public ::testing::Test
{
protected:
  BoxRelevanceTest() { image.slice(1, 16, 32).slice(2, 16, 32).fill_(1); }

  /// Of every prototype: the brightest 8x8 pixels.
  static torch::Tensor brightness(const torch::Tensor & images, const torch::Tensor & prototypes)
  {
    const torch::Tensor brightest =
      torch::avg_pool2d(images.slice(1, 0, 1), 8, 4).flatten(1).amax(1, true);
    return brightest.expand({images.size(0), prototypes.size(0)});
  }

  /// As if it always looked at one place and cared not for what is there.
  static torch::Tensor always(const torch::Tensor & images, const torch::Tensor & prototypes)
  {
    return torch::ones({images.size(0), prototypes.size(0)});
  }

  torch::Tensor image = torch::zeros({3, kSize, kSize});
};

TEST_F(BoxRelevanceTest, ThePartThatThePrototypeAnswersToIsSufficientAndNecessary)
{
  BoxRelevance relevance(brightness);
  EXPECT_FALSE(relevance.sufficient());
  relevance.add(image, shown({map_with_peak(1, 1)}));
  EXPECT_EQ(relevance.sufficient(), 1.0);
  EXPECT_EQ(relevance.necessary(), 1.0);
}

TEST_F(BoxRelevanceTest, ABoxAtTheCentreIsNeitherIfTheAnswerComesFromElsewhere)
{
  BoxRelevance relevance(brightness);
  relevance.add(image, shown({kCentreMap, map_with_peak(1, 1)}));
  EXPECT_EQ(relevance.sufficient(), 0.5);
  EXPECT_EQ(relevance.necessary(), 0.5);
}

TEST_F(BoxRelevanceTest, APrototypeThatAnswersABlankImageNeedsNoBox)
{
  BoxRelevance relevance(always);
  relevance.add(image, shown({kCentreMap}));
  EXPECT_EQ(relevance.sufficient(), 0.0);
  EXPECT_EQ(relevance.necessary(), 0.0);
}

TEST_F(BoxRelevanceTest, ANarrowerGaussianIsNotAskedForMore)
{
  // Keeps 0.3 of its likelihood: too little at kappa = 1, but 0.55 of what it would be there if it is
  // that of kappa = 2.
  const auto dimmed = [](const torch::Tensor & images, const torch::Tensor & prototypes) {
    return 0.3 * brightness(images, prototypes);
  };
  BoxRelevance wide(dimmed, 1), narrow(dimmed, 2);
  for (BoxRelevance * relevance : {&wide, &narrow}) {
    relevance->add(image, shown({map_with_peak(1, 1)}));
  }
  EXPECT_EQ(wide.sufficient(), 0.0);
  EXPECT_EQ(narrow.sufficient(), 1.0);
}

TEST_F(BoxRelevanceTest, TheWholeImageIsNoPart)
{
  // It would keep everything in its box, and lose everything without it.
  BoxRelevance relevance(brightness);
  relevance.add(image, shown({kConstantMap}));
  EXPECT_EQ(relevance.sufficient(), 0.0);
  EXPECT_EQ(relevance.necessary(), 0.0);
}

TEST_F(BoxRelevanceTest, WhatIsTakenAwayBecomesTheMeanColourWithASoftEdge)
{
  torch::Tensor seen;
  BoxRelevance relevance([&](const torch::Tensor & images, const torch::Tensor & prototypes) {
    seen = images.clone();
    EXPECT_TRUE(torch::equal(prototypes, torch::tensor({0, 1}, torch::kInt64)));
    return always(images, prototypes);
  });
  const auto parts = shown({map_with_peak(1, 1), kCentreMap});
  relevance.add(image, parts);

  const float mean = image.mean().item<float>();
  const auto pixel = [&](int i, int x, int y) { return seen[i][0][y][x].item<float>(); };
  ASSERT_EQ(seen.size(0), 5);
  EXPECT_NEAR(pixel(0, 24, 24), 1, 0.05) << "the box alone";
  EXPECT_NEAR(pixel(0, 90, 90), mean, 1e-6);
  EXPECT_NEAR(pixel(1, 24, 24), mean, 1e-3) << "another box";
  EXPECT_NEAR(pixel(2, 24, 24), mean, 0.05) << "without the box";
  EXPECT_NEAR(pixel(2, 90, 90), 0, 1e-6);
  EXPECT_NEAR(pixel(3, 24, 24), 1, 1e-3);
  EXPECT_NEAR(seen[4].std().item<float>(), 0, 1e-6) << "blank";
  const int edge = parts[1].box.x;
  EXPECT_GT(pixel(3, edge, 56), 0.2 * mean);
  EXPECT_LT(pixel(3, edge, 56), 0.8 * mean);
}

TEST_F(BoxRelevanceTest, WhatIsNotFiniteIsLeftOut)
{
  BoxRelevance relevance([](const torch::Tensor & images, const torch::Tensor & prototypes) {
    torch::Tensor found = brightness(images, prototypes).clone();
    found.select(1, 0).fill_(NAN);
    return found;
  });
  relevance.add(image, shown({map_with_peak(1, 1)}));
  EXPECT_FALSE(relevance.sufficient());
  relevance.add(image, shown({kCentreMap, map_with_peak(1, 1)}));
  EXPECT_EQ(relevance.necessary(), 1.0) << "the second one";
}

/// Prototypes with a red and a green patch; what is compared is the mean colour.
class LikenessTest : public ::testing::Test
{
protected:
  static std::optional<Provenance> patch(const cv::Scalar & bgr)
  {
    Provenance source{"train/" + std::to_string(int(bgr[2])) + ".jpg", 0, 0, {}, {}, {}};
    cv::imencode(".jpg", cv::Mat(20, 30, CV_8UC3, bgr), source.patch);
    return source;
  }

  static PreprocessingConfig unchanged()
  {
    PreprocessingConfig config;
    config.mean = {0, 0, 0};
    config.std = {1, 1, 1};
    return config;
  }

  static torch::Tensor filled(float red, float green)
  {
    torch::Tensor image = torch::zeros({3, kSize, kSize});
    image[0].fill_(red);
    image[1].fill_(green);
    return image;
  }

  std::optional<double> likeness(
    const torch::Tensor & image, const std::vector<ShownPart> & parts,
    const std::vector<OtherImage> & others) const
  {
    Likeness result([](const torch::Tensor & patches) { return patches; }, prototypes, unchanged());
    for (std::uint64_t i = 0; i < 40; ++i) {
      result.add("test/1.jpg", image, parts, others, Random{i});
    }
    return result.result();
  }

  std::vector<std::optional<Provenance>> prototypes{
    patch({0, 0, 200}), patch({0, 200, 0}), std::nullopt};
  const std::vector<ShownPart> part = shown({map_with_peak(1, 1)});  // of the red prototype
};

TEST_F(LikenessTest, APartLikeThePrototypesPatchIsNearerThanOthers)
{
  EXPECT_EQ(likeness(filled(0.8f, 0), part, {{filled(0, 0.8f), {}}}), 1.0);
  EXPECT_EQ(likeness(filled(0, 0.8f), part, {{filled(0.8f, 0), {}}}), 0.0);
}

TEST_F(LikenessTest, WhatShowsTheSameEverywhereIsChance)
{
  EXPECT_EQ(likeness(filled(0.8f, 0), part, {{filled(0.8f, 0), {}}}), 0.5);
  EXPECT_EQ(
    likeness(
      filled(0.8f, 0), shown({kConstantMap}), {{filled(0.8f, 0), {}}, {filled(0.8f, 0), {}}}),
    0.5);
}

TEST_F(LikenessTest, ToShowTheObjectAtTheCentreIsNotEnough)
{
  // A red object in the middle of green.
  torch::Tensor image = filled(0, 0.8f);
  image.slice(1, 28, 84).slice(2, 28, 84).copy_(filled(0.8f, 0).slice(1, 28, 84).slice(2, 28, 84));
  const auto centre = shown({kCentreMap});
  EXPECT_GT(likeness(image, centre, {{image, {}}}).value(), 0.7) << "its place is not known";
  // Patches around the middle of the object hold nothing but it.
  EXPECT_NEAR(likeness(image, centre, {{image, object_mask({48, 48, 16, 16})}}).value(), 0.5, 1e-9);
}

TEST_F(LikenessTest, OfWhatHasNoPatchOrNoRivalNothingIsSaid)
{
  const torch::Tensor image = filled(0.8f, 0);
  EXPECT_FALSE(likeness(image, part, {}));
  prototypes[0]->image = "test/1.jpg";
  EXPECT_FALSE(likeness(image, part, {{image, {}}})) << "its own patch";
  prototypes[0]->patch = {1, 2, 3};
  EXPECT_FALSE(likeness(image, part, {{image, {}}})) << "broken";
  prototypes[0].reset();
  EXPECT_FALSE(likeness(image, part, {{image, {}}}));
}

TEST_F(LikenessTest, NeedsPatchesAndEarlyMaps)
{
  const auto maps = [](const torch::Tensor & patches) { return patches; };
  EXPECT_TRUE(Likeness(maps, prototypes, unchanged()).can_measure());
  EXPECT_FALSE(Likeness(maps, {}, unchanged()).can_measure());
  EXPECT_FALSE(
    Likeness([](const auto &) { return torch::Tensor(); }, prototypes, unchanged()).can_measure());
  Likeness blind([](const auto & patches) { return patches * NAN; }, prototypes, unchanged());
  EXPECT_FALSE(blind.can_measure());
  blind.add("1.jpg", filled(1, 0), part, {{filled(0, 1), {}}}, Random{0});
  EXPECT_FALSE(blind.result());
}

}  // namespace
}  // namespace mgproto
