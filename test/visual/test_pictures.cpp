// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// The pictures of an evaluated model, drawn from made-up numbers: what stands where. Whether they
// are pleasant to look at is for a person to say.

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "not_finite.hpp"
#include "visual/density_picture.hpp"
#include "visual/difference.hpp"
#include "visual/palette.hpp"
#include "visual/prototype_colour.hpp"
#include "visual/prototype_gallery.hpp"
#include "visual/scatter_picture.hpp"

namespace mgproto::visual
{
namespace
{

cv::Vec3b pixel_of(const cv::Scalar & colour)
{
  return {
    cv::saturate_cast<uchar>(colour[0]), cv::saturate_cast<uchar>(colour[1]),
    cv::saturate_cast<uchar>(colour[2])};
}

cv::Vec3b at(const cv::Mat & picture, int x, int y) { return picture.at<cv::Vec3b>(y, x); }

TEST(ScatterPicture, ShowsEachPointWhereItsCoordinatesSay)
{
  Scatter scatter;
  scatter.points = {{0, 0, 0}, {1, 1, 0}};
  const cv::Mat picture = scatter_picture(scatter);

  // The plot is 844 wide from (28, 92), its outermost points 36 within; y goes up. Half way from
  // 2563eb to white is 92b1f5.
  const cv::Vec3b pale_blue{245, 177, 146};
  EXPECT_EQ(at(picture, 64, 900), pale_blue);
  EXPECT_EQ(at(picture, 836, 128), pale_blue);
  EXPECT_EQ(at(picture, 450, 514), pixel_of(kPaper));
}

TEST(ScatterPicture, HasOneScaleForBothAxes)
{
  Scatter scatter;
  scatter.points = {{-2, 0, 0}, {2, 0, 0}, {0, 1, 1}};
  const cv::Mat picture = scatter_picture(scatter);

  // 772 pixels for 4 units, 193 a unit; (0, 0.5) is the middle of the plot, (450, 514).
  EXPECT_EQ(at(picture, 450, 514 - 97), (pixel_of(0.5 * (prototype_colour(1) + kPaper))));
}

TEST(ScatterPicture, DrawsMarksLargerAndAboveThePoints)
{
  Scatter scatter;
  scatter.points = {{0, 0, 0}, {1, 1, 0}};
  const cv::Mat without = scatter_picture(scatter);
  scatter.marks = {{{0, 0, 3}, "7"}};
  const cv::Mat picture = scatter_picture(scatter);

  EXPECT_EQ(at(picture, 64, 900), pixel_of(prototype_colour(3)));
  EXPECT_EQ(at(picture, 64, 905), pixel_of(prototype_colour(3)));
  EXPECT_GE(difference(without, picture).width, 2 * 9);
}

TEST(ScatterPicture, KeepsTheNumbersOfMarksAtOnePlaceApart)
{
  const auto picture = [](const std::string & first, const std::string & second) {
    Scatter scatter;
    scatter.points = {{-1, -1, 0}, {1, 1, 0}};
    scatter.marks = {{{0, 0, 0}, first}, {{0, 0, 1}, second}};
    return scatter_picture(scatter);
  };
  const cv::Mat both = picture("11", "22");

  const cv::Rect first = difference(both, picture("77", "22"));
  const cv::Rect second = difference(both, picture("11", "77"));

  EXPECT_GT(first.area(), 0);
  EXPECT_GT(second.area(), 0);
  EXPECT_EQ((first & second).area(), 0);
}

TEST(ScatterPicture, LeavesOutWhatIsNotFinite)
{
  Scatter scatter;
  scatter.points = {{0, 0, 0}, {1, 1, 0}};
  scatter.marks = {{{0, 1, 0}, "1"}};
  const cv::Mat expected = scatter_picture(scatter);

  scatter.points.push_back({kNaN, 0, 0});
  scatter.points.push_back({0, kInfinity, 0});
  scatter.points.push_back({1e308, -1e308, 0});
  scatter.marks.push_back({{-kInfinity, 0, 0}, "2"});

  EXPECT_TRUE(difference(expected, scatter_picture(scatter)).empty());
}

TEST(ScatterPicture, HasAPlaceForNothingAndForOnePoint)
{
  EXPECT_EQ(scatter_picture({}).cols, kScatterPlot.br().x + kScatterPlot.x);
  Scatter one;
  one.marks = {{{5, 5, 2}, "2"}};
  EXPECT_EQ(at(scatter_picture(one), 450, 514), pixel_of(prototype_colour(2)));
}

DensityHistograms two_sets()
{
  DensityHistograms histograms;
  histograms.from = -10;
  histograms.to = 0;
  histograms.sets = {
    {"test", false, 40, 0.95, {0.2, 0.8}}, {"vehicles", true, 30, 0.1, {1.0, 0.0}}};
  return histograms;
}

TEST(DensityPicture, PutsTheStarAtTheThresholdsColumn)
{
  DensityHistograms histograms = two_sets();
  const cv::Mat without = density_picture(histograms);
  histograms.threshold = -7.5;
  const cv::Mat picture = density_picture(histograms);

  // A quarter of 924 columns from 248.
  const cv::Vec3b red = pixel_of(verdict_colour(Verdict::unknown));
  EXPECT_EQ(at(picture, 479, kDensityStarRow), red);
  EXPECT_EQ(at(picture, 479, kDensityFirstRow + 2 * kDensityRowHeight - 2), red);
  EXPECT_NE(at(picture, 478, kDensityFirstRow + 2 * kDensityRowHeight - 2), red);
  // The star's left point is 11 * sin(72 deg) = 10.5 from its centre; its number is to the right.
  EXPECT_NEAR(difference(without, picture).x, 479 - 10.5, 1.5);
}

TEST(DensityPicture, KeepsTheThresholdsNumberWithinThePicture)
{
  DensityHistograms histograms = two_sets();
  const cv::Mat without = density_picture(histograms);
  histograms.threshold = 0;
  const cv::Rect drawn = difference(without, density_picture(histograms));
  EXPECT_LT(drawn.x, kDensityPlotLeft + kDensityPlotWidth - 60);
  EXPECT_LE(drawn.br().x, without.cols - 10);
}

TEST(DensityPicture, DrawsBinsAsHighAsTheirShares)
{
  const cv::Mat picture = density_picture(two_sets());

  // Two bins of 462 columns. The first row ends at 132 + 96 = 228; its highest bin has 96 - 14 = 82
  // pixels, one of a quarter of it 20.
  const cv::Vec3b blue = pixel_of(class_colour(0));
  EXPECT_EQ(at(picture, 300, 228 - 19), blue);
  EXPECT_NE(at(picture, 300, 228 - 22), blue);
  EXPECT_EQ(at(picture, 800, 228 - 81), blue);
  EXPECT_NE(at(picture, 800, 228 - 84), blue);
  // Images to reject have another colour; the bin without any stays empty.
  EXPECT_EQ(at(picture, 300, 324 - 40), pixel_of(class_colour(1)));
  EXPECT_EQ(at(picture, 800, 324 - 40), pixel_of(kPaper));
}

TEST(DensityPicture, IsDrawnWhateverTheNumbersAre)
{
  for (const double from : {double{kNaN}, -double{kInfinity}, 1e308, 0.0, 5.0}) {
    for (const double to : {double{kNaN}, double{kInfinity}, -1e308, 0.0, 5.0 + 1e-12}) {
      DensityHistograms histograms = two_sets();
      histograms.from = from;
      histograms.to = to;
      histograms.threshold = from;
      histograms.sets[0].shares = {kNaN, kInfinity, -1};
      histograms.sets[0].accepted = kNaN;
      histograms.sets[1].shares = {};
      EXPECT_EQ(density_picture(histograms).size(), density_picture(two_sets()).size());
    }
  }
}

GalleryPrototype prototype(int number, const cv::Scalar & source, int nearest)
{
  GalleryPrototype result;
  result.number = number;
  result.prior = 0.5;
  result.source.pixels = cv::Mat(20, 20, CV_8UC3, source);
  for (int i = 0; i < nearest; ++i) {
    result.nearest.push_back(
      {{cv::Mat(10, 10, CV_8UC3, cv::Scalar(10 * i, 100, 200)), {}}, -0.1 * i, "birds/a.png"});
  }
  return result;
}

TEST(PrototypeGallery, HasARowForEachPrototypeInTheGivenOrder)
{
  const cv::Scalar violet(200, 20, 120);
  const cv::Scalar olive(30, 120, 110);
  const cv::Mat picture =
    prototype_gallery("Jay", "", {prototype(4, violet, 5), prototype(3, olive, 5)});

  EXPECT_EQ(picture.rows, prototype_gallery("Jay", "", {}).rows + 2 * kGalleryRowHeight);
  const int x = kGallerySourceLeft + kGalleryTile / 2;
  const int y = kGalleryFirstRow + kGalleryTile / 2;
  EXPECT_EQ(at(picture, x, y), pixel_of(violet));
  EXPECT_EQ(at(picture, x, y + kGalleryRowHeight), pixel_of(olive));
}

TEST(PrototypeGallery, ShowsTheNearestPatchesFromLeftToRight)
{
  const cv::Mat picture = prototype_gallery("Jay", "", {prototype(0, kInk, kNearPatches)});
  for (int i = 0; i < kNearPatches; ++i) {
    const int x = kGalleryNearestLeft + i * (kGalleryTile + kGalleryTileGap) + kGalleryTile / 2;
    EXPECT_EQ(at(picture, x, kGalleryFirstRow + kGalleryTile / 2), cv::Vec3b(10 * i, 100, 200))
      << i;
  }
}

TEST(PrototypeGallery, LeavesAQuietTileWhereThereIsNoPatch)
{
  GalleryPrototype not_projected = prototype(0, kInk, 2);
  not_projected.source = {};
  const cv::Mat picture = prototype_gallery("Jay", "", {not_projected});
  const int third = kGalleryNearestLeft + 2 * (kGalleryTile + kGalleryTileGap);
  EXPECT_EQ(at(picture, kGallerySourceLeft + 2, kGalleryFirstRow + 2), pixel_of(kTile));
  EXPECT_EQ(at(picture, third + 2, kGalleryFirstRow + 2), pixel_of(kTile));
}

TEST(PrototypeGallery, KeepsItsMarginsFreeWhateverItShows)
{
  GalleryPrototype crowded = prototype(123456789, kInk, 7);
  crowded.prior = kNaN;
  crowded.source.pixels = cv::Mat(1, 3000, CV_8UC3, kInk);
  crowded.nearest[0].log_likelihood = -12345.678;
  crowded.nearest[1].log_likelihood = kNaN;
  for (NearPatch & patch : crowded.nearest) {
    patch.image = "birds/" + std::string(300, 'W') + "\xc3\xb6.png";
  }
  const cv::Mat picture =
    prototype_gallery(std::string(300, 'W'), std::string(500, 'w'), {crowded, crowded});
  const cv::Rect drawn = difference(picture, cv::Mat(picture.size(), CV_8UC3, kPaper));
  EXPECT_GE(drawn.x, 20);
  EXPECT_GE(drawn.y, 20);
  EXPECT_LE(drawn.br().x, picture.cols - 20);
  EXPECT_LE(drawn.br().y, picture.rows - 10);
}

}  // namespace
}  // namespace mgproto::visual
