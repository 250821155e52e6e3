// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// Covers: the keyed random numbers, the species tables, what is drawn and annotated, the files on
// disk, and that the classes cannot be told apart by coarse colour alone. Does not cover: whether
// the pictures are pleasant to look at.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <map>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "birds/bird.hpp"
#include "birds/birds_dataset.hpp"
#include "birds/picture.hpp"
#include "birds/scene.hpp"
#include "mgproto_ros/error.hpp"
#include "model/random.hpp"

namespace fs = std::filesystem;

namespace mgproto::birds
{
namespace
{

// --- random numbers -----------------------------------------------------------------------------

TEST(Random, IsTheSameForTheSameKeyAndDiffersForEveryOtherKey)
{
  std::set<std::uint64_t> first_numbers;
  for (std::uint64_t a = 0; a < 10; ++a) {
    for (std::uint64_t b = 0; b < 10; ++b) {
      EXPECT_EQ(Random({a, b}).next(), Random({a, b}).next());
      first_numbers.insert(Random({a, b}).next());
    }
    first_numbers.insert(Random({a}).next());
  }
  EXPECT_EQ(first_numbers.size(), 110U);
}

TEST(Random, GivesTheNumbersItHasAlwaysGiven)
{
  Random random({1, 2, 3});
  EXPECT_EQ(random.next(), 3895144709723734364ULL);
  EXPECT_EQ(random.next(), 6569752362846564481ULL);
}

TEST(Random, KeepsToItsRangesAndMoments)
{
  Random random({7});
  double sum = 0.0, squares = 0.0;
  std::vector<int> counts(5, 0);
  constexpr int kDraws = 20000;
  for (int i = 0; i < kDraws; ++i) {
    const double u = random.uniform(-2.0, 3.0), n = random.normal();
    ASSERT_TRUE(u >= -2.0 && u < 3.0);
    sum += n;
    squares += n * n;
    ++counts.at(static_cast<std::size_t>(random.index(5)));
  }
  EXPECT_NEAR(sum / kDraws, 0.0, 0.03);  // four standard errors
  EXPECT_NEAR(squares / kDraws, 1.0, 0.04);
  for (const int count : counts) {
    EXPECT_NEAR(count, kDraws / 5, 230);
  }
}

// --- species ------------------------------------------------------------------------------------

TEST(Species, EachDiffersFromThePlainBirdInOneOrTwoPartsAndFromAllOthers)
{
  EXPECT_GE(seen_species().size(), 12U);
  EXPECT_GE(unseen_species().size(), 6U);
  std::set<std::string> names;
  std::set<std::array<int, kPartCount>> looks;
  for (const auto * table : {&seen_species(), &unseen_species()}) {
    for (const Species & species : *table) {
      const auto variants = species.variants();
      const auto marks = kPartCount - std::count(variants.begin(), variants.end(), 0);
      EXPECT_TRUE(marks == 1 || marks == 2) << species.name;
      names.insert(species.name);
      looks.insert(variants);
    }
  }
  EXPECT_EQ(names.size(), seen_species().size() + unseen_species().size());
  EXPECT_EQ(looks.size(), names.size());
}

TEST(Species, UnseenOnesJoinMarksOfDifferentSpeciesAmongTheFirstTwelve)
{
  for (const Species & species : unseen_species()) {
    const auto variants = species.variants();
    for (std::size_t part = 0; part < kPartCount; ++part) {
      const bool seen = std::any_of(
        seen_species().begin(), seen_species().begin() + 12,
        [&](const Species & other) { return other.variants()[part] == variants[part]; });
      EXPECT_TRUE(seen) << species.name << " has an unknown " << kPartNames[part];
    }
  }
}

// --- pictures -----------------------------------------------------------------------------------

std::uint64_t hash(const cv::Mat & image)
{
  std::uint64_t h = 14695981039346656037ULL;  // FNV-1a
  for (int y = 0; y < image.rows; ++y) {
    const uchar * row = image.ptr(y);
    for (std::size_t i = 0; i < image.cols * image.elemSize(); ++i) {
      h = (h ^ row[i]) * 1099511628211ULL;
    }
  }
  return h;
}

Picture individual(std::size_t species, std::uint64_t index, int size = 96)
{
  Random random({1, 0, species, index});
  return draw_bird(seen_species()[species], size, random);
}

TEST(Picture, HasTheSamePixelsOnEveryMachine)
{
  std::uint64_t birds = 0, others = 0;
  for (std::size_t species = 0; species < seen_species().size(); ++species) {
    birds = birds * 31 + hash(individual(species, 5).image);
  }
  for (std::uint64_t i = 0; i < 5; ++i) {
    Random random({1, 2, i});
    others =
      others * 31 + hash(draw_scene(SceneKind::Vehicle, static_cast<int>(i % 4), 96, 64, random));
    others =
      others * 31 + hash(draw_scene(SceneKind::Texture, static_cast<int>(i), 96, 64, random));
  }
  // The same from gcc and clang, with and without fused multiply-add.
  EXPECT_EQ(birds, 4025202993056112149ULL);
  EXPECT_EQ(others, 6495477025806066100ULL);
}

TEST(Picture, ShowsTheSameBirdAtEverySize)
{
  for (std::uint64_t i = 0; i < 10; ++i) {
    const Picture small = individual(i, i, 96), large = individual(i, i, 384);
    cv::Mat shrunk;
    cv::resize(large.image, shrunk, small.image.size(), 0, 0, cv::INTER_AREA);
    // Sensor noise is drawn per pixel; up to 0.035 of 255 remains as the mean difference.
    EXPECT_LT(cv::norm(shrunk, small.image, cv::NORM_L1) / (96 * 96 * 3), 0.035 * 255);
    for (std::size_t part = 0; part < kPartCount; ++part) {
      EXPECT_NEAR(large.parts[part].x, 4.0 * small.parts[part].x, 1e-9);
      EXPECT_NEAR(large.parts[part].y, 4.0 * small.parts[part].y, 1e-9);
    }
  }
}

TEST(Picture, MaskAndBoxHoldTheBirdAndItsVisibleParts)
{
  int visible = 0, outside = 0;
  for (std::size_t species = 0; species < seen_species().size(); ++species) {
    for (std::uint64_t i = 0; i < 10; ++i) {
      const Picture picture = individual(species, i, 192);
      EXPECT_EQ(picture.box, cv::boundingRect(picture.mask));
      EXPECT_GT(cv::countNonZero(picture.mask), 192 * 192 / 20);
      for (const Picture::Part & part : picture.parts) {
        const cv::Point at(cvFloor(part.x), cvFloor(part.y));
        visible += part.visible;
        outside += part.visible && picture.mask.at<uchar>(at) != 255;
      }
    }
  }
  EXPECT_GT(visible, 1400);           // of 1600
  EXPECT_LE(outside, visible / 200);  // pixels that the edge of a leaf or twig runs through
}

/// The colours at the visible parts of many individuals, before light and noise change them.
std::vector<Colour> colours_at(PartName part, const std::function<bool(const Species &)> & chosen)
{
  std::vector<Colour> colours;
  for (const Species & species : seen_species()) {
    for (std::uint64_t i = 0; chosen(species) && i < 60; ++i) {
      Random random({3, i});
      Canvas canvas(96, 96);
      paint_background(canvas, random);
      const Point at = paint_bird(canvas, species, random)[static_cast<std::size_t>(part)];
      paint_clutter(canvas, 4, random);
      if (!canvas.hidden(at)) {
        colours.push_back(canvas.pixels(cvFloor(at.y * 96), cvFloor(at.x * 96)));
      }
    }
  }
  EXPECT_GT(colours.size(), 40U);
  return colours;
}

double share(const std::vector<Colour> & colours, const std::function<bool(Colour)> & is)
{
  return static_cast<double>(std::count_if(colours.begin(), colours.end(), is)) / colours.size();
}

TEST(Parts, AreWhereTheSpeciesIsMarked)
{
  // A twig's edge may cover almost half of a visible part's pixel, so a few may look different.
  constexpr double kAlmostAll = 0.95;
  const auto red = [](Colour c) { return c[2] > 0.4 && c[2] > 2.0 * c[1] && c[2] > 2.0 * c[0]; };
  const auto orange = [](Colour c) { return c[2] > 0.5 && c[2] > 1.4 * c[1] && c[1] > 1.5 * c[0]; };
  const auto yellow = [](Colour c) { return c[2] > 0.6 && c[1] > 0.5 && c[0] < 0.5 * c[1]; };
  const auto dark = [](Colour c) { return c[0] + c[1] + c[2] < 0.6; };

  const auto red_throat = [](const Species & s) { return s.throat == Throat::Red; };
  const auto plain_throat = [](const Species & s) { return s.throat == Throat::Plain; };
  EXPECT_GT(share(colours_at(PartName::Throat, red_throat), red), kAlmostAll);
  EXPECT_LT(share(colours_at(PartName::Throat, plain_throat), red), 0.01);

  const auto crested = [](const Species & s) { return s.crown == Crown::RedCrest; };
  const auto capped = [](const Species & s) { return s.crown == Crown::BlackCap; };
  EXPECT_GT(share(colours_at(PartName::Crown, crested), red), kAlmostAll);
  EXPECT_GT(share(colours_at(PartName::Crown, capped), dark), kAlmostAll);

  const auto robin = [](const Species & s) { return s.breast == Breast::Orange; };
  const auto collared = [](const Species & s) { return s.breast == Breast::Band; };
  EXPECT_GT(share(colours_at(PartName::Breast, robin), orange), kAlmostAll);
  EXPECT_GT(share(colours_at(PartName::Breast, collared), dark), kAlmostAll);

  const auto patched = [](const Species & s) { return s.wing == Wing::YellowPatch; };
  const auto bright_legs = [](const Species & s) { return s.leg == Leg::Orange; };
  const auto any = [](const Species & s) { return s.eye != Eye::Masked; };
  EXPECT_GT(share(colours_at(PartName::Wing, patched), yellow), kAlmostAll);
  EXPECT_GT(share(colours_at(PartName::Leg, bright_legs), orange), 0.8);  // two pixels wide
  EXPECT_GT(share(colours_at(PartName::Eye, any), dark), 0.8);            // the highlight is white
}

TEST(Parts, AreHiddenExactlyWhereSomethingWasPaintedOverThem)
{
  int hidden = 0, total = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    Random random({4, i});
    Canvas canvas(96, 96);
    paint_background(canvas, random);
    const auto parts = paint_bird(canvas, seen_species()[i % 12], random);
    const cv::Mat_<Colour> before = canvas.pixels.clone();
    paint_clutter(canvas, 4, random);
    for (const Point & part : parts) {
      const cv::Point at(cvFloor(part.x * 96), cvFloor(part.y * 96));
      ASSERT_TRUE(cv::Rect(0, 0, 96, 96).contains(at));
      ++total;
      if (canvas.hidden(part)) {
        ++hidden;
        EXPECT_NE(canvas.pixels(at), before(at));
      }
      if (canvas.pixels(at) == before(at)) {
        EXPECT_FALSE(canvas.hidden(part));
      }
    }
  }
  std::cout << hidden << " of " << total << " parts are hidden\n";
  EXPECT_GT(hidden, total / 100);
  EXPECT_LT(hidden, total / 5);
}

// --- files --------------------------------------------------------------------------------------

class BirdsOnDisk : public testing::Test
{
protected:
  void SetUp() override
  {
    const auto * info = testing::UnitTest::GetInstance()->current_test_info();
    dir_ = fs::path(testing::TempDir()) / (std::string("mgproto_birds_") + info->name());
    fs::remove_all(dir_);
  }
  void TearDown() override { fs::remove_all(dir_); }

  static Options few()
  {
    Options options;
    options.classes = 3;
    options.per_class = 4;
    options.size = 32;
    options.calibration = 7;
    options.ood = 8;
    return options;
  }

  static std::string content(const fs::path & path)
  {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  }

  static std::map<std::string, std::string> files(const fs::path & dir)
  {
    std::map<std::string, std::string> all;
    for (const auto & entry : fs::recursive_directory_iterator(dir)) {
      if (entry.is_regular_file()) {
        all[fs::relative(entry.path(), dir).generic_string()] = content(entry.path());
      }
    }
    return all;
  }

  static std::size_t pngs(const fs::path & dir)
  {
    std::size_t count = 0;
    for (const auto & [path, bytes] : files(dir)) {
      count += fs::path(path).extension() == ".png" && !bytes.empty();
    }
    return count;
  }

  fs::path dir_;
};

TEST_F(BirdsOnDisk, HaveTheLayoutOfCub)
{
  std::int64_t calls = 0, last_total = 0;
  write_dataset(dir_.string(), few(), [&](std::int64_t done, std::int64_t total) {
    EXPECT_EQ(done, ++calls);
    last_total = total;
  });

  const fs::path birds = dir_ / "birds";
  EXPECT_EQ(pngs(birds / "images"), 12U);
  EXPECT_EQ(pngs(birds / "segmentations"), 12U);
  EXPECT_EQ(pngs(dir_ / "calibration"), 9U);  // at least 7, the same number for each class
  EXPECT_EQ(pngs(dir_ / "ood" / "unseen_species"), 8U);
  EXPECT_EQ(pngs(dir_ / "ood" / "vehicles"), 8U);
  EXPECT_EQ(pngs(dir_ / "ood" / "textures"), 10U);
  EXPECT_EQ(calls, 12 + 9 + 8 + 8 + 10);
  EXPECT_EQ(last_total, calls);

  EXPECT_EQ(
    content(birds / "classes.txt"),
    "1 001.Red_throated_Fantail\n2 002.Black_capped_Swallow\n3 003.Bar_winged_Redshank\n");
  EXPECT_EQ(
    content(birds / "parts" / "parts.txt"),
    "1 beak\n2 eye\n3 crown\n4 throat\n5 wing\n6 breast\n7 tail\n8 leg\n");
  EXPECT_EQ(
    content(birds / "train_test_split.txt"),
    "1 1\n2 0\n3 1\n4 0\n5 1\n6 0\n7 1\n8 0\n9 1\n10 0\n11 1\n12 0\n");
  EXPECT_EQ(
    content(birds / "image_class_labels.txt"),
    "1 1\n2 1\n3 1\n4 1\n5 2\n6 2\n7 2\n8 2\n9 3\n10 3\n11 3\n12 3\n");

  std::istringstream images(content(birds / "images.txt"));
  std::istringstream boxes(content(birds / "bounding_boxes.txt"));
  std::istringstream locations(content(birds / "parts" / "part_locs.txt"));
  for (int id = 1; id <= 12; ++id) {
    int image_id = 0, box_id = 0;
    std::string path;
    cv::Rect2d box;
    ASSERT_TRUE(images >> image_id >> path);
    ASSERT_TRUE(boxes >> box_id >> box.x >> box.y >> box.width >> box.height);
    EXPECT_EQ(image_id, id);
    EXPECT_EQ(box_id, id);
    const cv::Mat image = cv::imread((birds / "images" / path).string(), cv::IMREAD_UNCHANGED);
    const cv::Mat mask =
      cv::imread((birds / "segmentations" / path).string(), cv::IMREAD_UNCHANGED);
    EXPECT_EQ(image.type(), CV_8UC3);
    EXPECT_EQ(image.size(), cv::Size(32, 32));
    ASSERT_EQ(mask.type(), CV_8UC1);
    EXPECT_EQ(cv::Rect2d(cv::boundingRect(mask)), box);
    for (int part = 1; part <= kPartCount; ++part) {
      int part_id = 0, visible = 0;
      double x = 0.0, y = 0.0;
      ASSERT_TRUE(locations >> image_id >> part_id >> x >> y >> visible);
      EXPECT_EQ(image_id, id);
      EXPECT_EQ(part_id, part);
      EXPECT_TRUE(visible == 1 ? x > 0.0 && x < 32.0 : visible == 0 && x == 0.0 && y == 0.0);
    }
  }
  EXPECT_EQ(
    content(birds / "images.txt").substr(0, 53),
    "1 001.Red_throated_Fantail/Red_throated_Fantail_0001.");
}

TEST_F(BirdsOnDisk, AreTheSameBytesForTheSameSeedWhateverElseIsDrawn)
{
  Options more = few();
  more.classes = 4;
  more.per_class = 6;
  Options other = few();
  other.seed = 2;
  write_dataset((dir_ / "a").string(), few());
  write_dataset((dir_ / "b").string(), few());
  write_dataset((dir_ / "more").string(), more);
  write_dataset((dir_ / "other").string(), other);

  const auto a = files(dir_ / "a"), larger = files(dir_ / "more"), changed = files(dir_ / "other");
  EXPECT_EQ(a, files(dir_ / "b"));
  std::size_t compared = 0;
  for (const auto & [path, bytes] : a) {
    if (fs::path(path).extension() == ".png" && larger.count(path) == 1) {
      EXPECT_EQ(bytes, larger.at(path)) << path;
      EXPECT_NE(bytes, changed.at(path)) << path;
      ++compared;
    }
  }
  EXPECT_GE(compared, 40U);
}

TEST_F(BirdsOnDisk, AreNotMixedWithOtherFiles)
{
  fs::create_directories(dir_);
  std::ofstream(dir_ / "notes.txt") << "mine";
  EXPECT_THROW(write_dataset(dir_.string(), few()), FileError);
  EXPECT_THROW(write_dataset((dir_ / "notes.txt").string(), few()), FileError);
  EXPECT_THROW(write_dataset((dir_ / "notes.txt" / "below").string(), few()), FileError);
  EXPECT_EQ(files(dir_).size(), 1U);
  fs::create_directories(dir_ / "empty");
  EXPECT_NO_THROW(write_dataset((dir_ / "empty").string(), few()));
}

TEST_F(BirdsOnDisk, RefuseOptionsOutOfRange)
{
  Options options = few();
  options.classes = static_cast<int>(seen_species().size()) + 1;
  try {
    write_dataset(dir_.string(), options);
    FAIL() << "accepted too many classes";
  } catch (const ConfigError & error) {
    EXPECT_STREQ(error.what(), "classes: is 21, expected 1 to 20 (that many species are known)");
  }
  options = few();
  options.size = 0;
  EXPECT_THROW(write_dataset(dir_.string(), options), ConfigError);
  EXPECT_FALSE(fs::exists(dir_));
}

TEST_F(BirdsOnDisk, PassOnWhatTheProgressFunctionThrows)
{
  const auto stop = [](std::int64_t, std::int64_t) { throw std::runtime_error("stop"); };
  EXPECT_THROW(write_dataset(dir_.string(), few(), stop), std::runtime_error);
}

// --- is it a task? ------------------------------------------------------------------------------

/// Softmax regression with full-batch gradient descent and Nesterov momentum on standardised
/// features, once for each strength of regularisation.
class LinearClassifier
{
public:
  LinearClassifier(const cv::Mat & features, const std::vector<int> & labels, int classes)
  {
    cv::reduce(features, mean_, 0, cv::REDUCE_AVG);
    const cv::Mat centred = features - cv::repeat(mean_, features.rows, 1);
    cv::reduce(centred.mul(centred), deviation_, 0, cv::REDUCE_AVG);
    cv::sqrt(deviation_ + 1e-6, deviation_);
    inputs_ = standardised(features);
    targets_ = cv::Mat::zeros(features.rows, classes, CV_32F);
    for (int i = 0; i < features.rows; ++i) {
      targets_.at<float>(i, labels[static_cast<std::size_t>(i)]) = 1.0F;
    }
  }

  /// Until the gradient has all but vanished.
  void train(double regularisation)
  {
    weights_ = cv::Mat::zeros(inputs_.cols, targets_.cols, CV_32F);
    cv::Mat velocity = weights_.clone(), covariance, gradient;
    cv::mulTransposed(inputs_, covariance, true, cv::noArray(), 1.0 / inputs_.rows);
    // The loss curves at most half as much as the inputs vary along their main direction.
    const double step = 1.0 / (0.5 * largest_eigenvalue(covariance) + regularisation);
    for (int i = 0; i < 3000; ++i) {
      const cv::Mat ahead = weights_ + 0.98 * velocity;
      const cv::Mat error = probabilities(inputs_ * ahead) - targets_;
      cv::gemm(inputs_, error, 1.0 / inputs_.rows, ahead, regularisation, gradient, cv::GEMM_1_T);
      velocity = 0.98 * velocity - step * gradient;
      weights_ += velocity;
      if (cv::norm(gradient) < 1e-3) {
        return;
      }
    }
    ADD_FAILURE() << "not converged: gradient " << cv::norm(gradient);
  }

  double accuracy(const cv::Mat & features, const std::vector<int> & labels) const
  {
    const cv::Mat scores = standardised(features) * weights_;
    int right = 0;
    for (int i = 0; i < scores.rows; ++i) {
      cv::Point best;
      cv::minMaxLoc(scores.row(i), nullptr, nullptr, nullptr, &best);
      right += best.x == labels[static_cast<std::size_t>(i)];
    }
    return static_cast<double>(right) / scores.rows;
  }

private:
  /// With a constant column, for the bias.
  cv::Mat standardised(const cv::Mat & features) const
  {
    cv::Mat scaled =
      (features - cv::repeat(mean_, features.rows, 1)) / cv::repeat(deviation_, features.rows, 1);
    cv::hconcat(scaled, cv::Mat::ones(features.rows, 1, CV_32F), scaled);
    return scaled;
  }

  static double largest_eigenvalue(const cv::Mat & symmetric)
  {
    cv::Mat vector = cv::Mat::ones(symmetric.cols, 1, CV_32F);
    for (int i = 0; i < 50; ++i) {
      vector = symmetric * vector;
      vector /= cv::norm(vector);
    }
    return cv::norm(symmetric * vector);
  }

  static cv::Mat probabilities(const cv::Mat & scores)
  {
    cv::Mat top, exponentials, sums;
    cv::reduce(scores, top, 1, cv::REDUCE_MAX);
    cv::exp(scores - cv::repeat(top, 1, scores.cols), exponentials);
    cv::reduce(exponentials, sums, 1, cv::REDUCE_SUM);
    return exponentials / cv::repeat(sums, 1, scores.cols);
  }

  cv::Mat mean_, deviation_, inputs_, targets_, weights_;
};

struct Samples
{
  cv::Mat features;
  std::vector<int> labels;
};

cv::Mat thumbnail(const cv::Mat & image, int side)
{
  cv::Mat small;
  cv::resize(image, small, {side, side}, 0, 0, cv::INTER_AREA);
  small.convertTo(small, CV_32F, 1.0 / 255.0);
  return small.reshape(1, 1).clone();
}

/// What is around each part, turned to face right.
cv::Mat part_patches(const Picture & picture)
{
  const bool faces_left = picture.parts[0].x < picture.parts[6].x;
  cv::Mat padded, features;
  cv::copyMakeBorder(picture.image, padded, 8, 8, 8, 8, cv::BORDER_REPLICATE);
  std::vector<cv::Mat> patches;
  for (const Picture::Part & part : picture.parts) {
    cv::Mat patch = padded(cv::Rect(cvFloor(part.x), cvFloor(part.y), 16, 16)).clone();
    if (faces_left) {
      cv::flip(patch, patch, 1);
    }
    patches.push_back(thumbnail(patch, 8));
  }
  cv::hconcat(patches, features);
  return features;
}

/// Pictures number `first`, `first` + 2, … of each class: the training or the test half.
Samples half(int per_class, int first, const std::function<cv::Mat(const Picture &)> & look)
{
  Samples samples;
  for (int label = 0; label < 12; ++label) {
    for (int i = first; i < per_class; i += 2) {
      samples.features.push_back(
        look(individual(static_cast<std::size_t>(label), static_cast<std::uint64_t>(i))));
      samples.labels.push_back(label);
    }
  }
  return samples;
}

double best_test_accuracy(
  const Samples & train, const Samples & test, const std::vector<double> & regularisations)
{
  LinearClassifier classifier(train.features, train.labels, 12);
  double best = 0.0;
  for (const double regularisation : regularisations) {
    classifier.train(regularisation);
    const double accuracy = classifier.accuracy(test.features, test.labels);
    std::cout << "regularisation " << regularisation << ": "
              << classifier.accuracy(train.features, train.labels) << " on the training half, "
              << accuracy << " on the test half\n";
    best = std::max(best, accuracy);
  }
  return best;
}

TEST(Task, TheLinearClassifierSolvesWhatColourCanSolve)
{
  Random random({11});
  Samples train, test;
  for (int i = 0; i < 1200; ++i) {
    const int label = i % 12;
    cv::Mat row(1, 192, CV_32F);
    for (int j = 0; j < 192; ++j) {
      // Weak in every single value, plain in all of them together.
      row.at<float>(j) = static_cast<float>(0.5 * random.normal() + (j % 12 == label ? 0.6 : 0.0));
    }
    Samples & half_of_it = i < 600 ? train : test;
    half_of_it.features.push_back(row);
    half_of_it.labels.push_back(label);
  }
  EXPECT_GT(best_test_accuracy(train, test, {0.1}), 0.9);
}

TEST(Task, IsNotSolvedByTheColoursOfAThumbnail)
{
  const auto look = [](const Picture & picture) { return thumbnail(picture.image, 8); };
  const Samples train = half(200, 0, look), test = half(200, 1, look);
  ASSERT_EQ(train.features.size(), cv::Size(192, 1200));
  const double accuracy = best_test_accuracy(train, test, {0.001, 0.01, 0.1, 1.0});
  EXPECT_LT(accuracy, 0.60);
  EXPECT_GT(accuracy, 1.0 / 12);
}

TEST(Task, IsSolvedByLookingAtTheParts)
{
  const Samples train = half(60, 0, part_patches), test = half(60, 1, part_patches);
  EXPECT_GT(best_test_accuracy(train, test, {0.1}), 0.8);
}

}  // namespace
}  // namespace mgproto::birds
