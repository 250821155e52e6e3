// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// Covers: that every kind of garbage is drawn at any size, is the same again, and is what its name
// says; the generated data set and the written folder. Does not cover: whether a model rejects it.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <set>
#include <string>
#include <vector>

#include "datasets/garbage.hpp"
#include "datasets/image.hpp"
#include "mgproto_ros/error.hpp"
#include "temporary_directory.hpp"

namespace mgproto
{
namespace
{

constexpr std::uint64_t kLooks = 25;  // images of a kind that are looked at

bool same_bytes(const cv::Mat & a, const cv::Mat & b)
{
  return a.size() == b.size() && a.type() == b.type() && a.isContinuous() && b.isContinuous() &&
         std::memcmp(a.data, b.data, a.total() * a.elemSize()) == 0;
}

/// Mean and standard deviation over all pixels and channels.
std::array<double, 2> mean_and_deviation(const cv::Mat & image)
{
  cv::Scalar mean, deviation;
  cv::meanStdDev(image.reshape(1), mean, deviation);
  return {mean[0], deviation[0]};
}

/// Bits, at most 8, of the distribution of all bytes.
double entropy(const cv::Mat & image)
{
  std::array<double, 256> counts{};
  std::for_each(image.datastart, image.dataend, [&](std::uint8_t byte) { counts[byte] += 1.0; });
  double bits = 0.0;
  for (const double count : counts) {
    const double share = count / static_cast<double>(image.total() * image.elemSize());
    bits -= share > 0.0 ? share * std::log2(share) : 0.0;
  }
  return bits;
}

bool is_grey(const cv::Mat & image)
{
  return std::all_of(image.begin<cv::Vec3b>(), image.end<cv::Vec3b>(), [](const cv::Vec3b & pixel) {
    return pixel[0] == pixel[1] && pixel[1] == pixel[2];
  });
}

std::size_t colours(const cv::Mat & image)
{
  std::set<std::array<int, 3>> seen;
  std::for_each(image.begin<cv::Vec3b>(), image.end<cv::Vec3b>(), [&](const cv::Vec3b & pixel) {
    seen.insert({pixel[0], pixel[1], pixel[2]});
  });
  return seen.size();
}

/// Mean difference of a pixel and its right neighbour, over all channels.
double roughness(const cv::Mat & image)
{
  return cv::norm(image.colRange(1, image.cols), image.colRange(0, image.cols - 1), cv::NORM_L1) /
         static_cast<double>(3 * image.rows * (image.cols - 1));
}

/// Looks at many images of a kind, each of the size it has in a data set.
template <typename Look>
void look_at(const std::string & kind, const Look & look)
{
  for (std::uint64_t index = 0; index < kLooks; ++index) {
    SCOPED_TRACE(kind + " " + std::to_string(index));
    look(garbage_image(kind, index, garbage_size(index)));
  }
}

TEST(Garbage, OfEveryKindIsDrawnAtAnySize)
{
  const std::vector<cv::Size> sizes = {{1, 1}, {1, 9}, {9, 1},   {2, 2},   {3, 5},
                                       {7, 7}, {8, 8}, {17, 33}, {101, 67}};
  for (const std::string & kind : garbage_kinds()) {
    for (const cv::Size & size : sizes) {
      for (std::uint64_t index = 0; index < kLooks; ++index) {
        const cv::Mat image = garbage_image(kind, index, size);
        EXPECT_EQ(image.type(), CV_8UC3) << kind;
        EXPECT_EQ(image.size(), size) << kind;
      }
    }
  }
}

TEST(Garbage, IsTheSameForTheSameArgumentsAndDiffersForOthers)
{
  const cv::Size size(96, 64);
  for (const std::string & kind : garbage_kinds()) {
    std::vector<cv::Mat> images;
    for (std::uint64_t index = 0; index < kLooks; ++index) {
      images.push_back(garbage_image(kind, index, size));
      EXPECT_TRUE(same_bytes(images.back(), garbage_image(kind, index, size))) << kind;
      EXPECT_FALSE(same_bytes(images.back(), garbage_image(kind, index, size, 2))) << kind;
      for (std::uint64_t other = 0; other < index; ++other) {
        EXPECT_FALSE(same_bytes(images.back(), images[other]))
          << kind << " " << index << " is " << other;
      }
    }
  }
}

TEST(Garbage, HasTheBytesItHasAlwaysHad)
{
  // FNV-1a over three images of every kind, as first drawn.
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  for (const std::string & kind : garbage_kinds()) {
    for (std::uint64_t index = 0; index < 3; ++index) {
      const cv::Mat image = garbage_image(kind, index, {61, 47});
      std::for_each(image.datastart, image.dataend, [&](std::uint8_t byte) {
        hash = (hash ^ byte) * 0x100000001B3ULL;
      });
    }
  }
  EXPECT_EQ(hash, 18334383088145586535ULL);
}

TEST(Garbage, RefusesUnknownKindsAndEmptySizes)
{
  try {
    garbage_image("uniform_nose", 0, {8, 8});
    ADD_FAILURE() << "drawn";
  } catch (const ConfigError & error) {
    EXPECT_NE(std::string(error.what()).find("'uniform_nose'"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("uniform_noise"), std::string::npos) << error.what();
  }
  EXPECT_THROW(garbage_image("blur", 0, {0, 8}), ConfigError);
  EXPECT_THROW(garbage_dataset("blurred", 3), ConfigError);
  EXPECT_THROW(garbage_dataset("blur", 0), ConfigError);
}

TEST(Garbage, NoiseIsNoise)
{
  look_at("uniform_noise", [](const cv::Mat & image) {
    EXPECT_NEAR(mean_and_deviation(image)[0], 127.5, 3.0);
    EXPECT_NEAR(mean_and_deviation(image)[1], 73.9, 2.0) << "256 / sqrt(12)";
    EXPECT_GT(entropy(image), 7.95);
    EXPECT_FALSE(is_grey(image));
  });
  look_at("grey_noise", [](const cv::Mat & image) {
    EXPECT_NEAR(mean_and_deviation(image)[0], 127.5, 5.0);
    EXPECT_GT(entropy(image), 7.9);
    EXPECT_TRUE(is_grey(image));
  });
  look_at("gaussian_noise", [](const cv::Mat & image) { EXPECT_GT(roughness(image), 5.0); });
  look_at("salt_and_pepper", [](const cv::Mat & image) {
    std::size_t extreme = 0;
    std::for_each(image.datastart, image.dataend, [&](std::uint8_t byte) {
      extreme += byte == 0 || byte == 255 ? 1 : 0;
    });
    EXPECT_GT(extreme, image.total() * 3 / 6);
    EXPECT_LE(colours(image), 27U);
  });
}

TEST(Garbage, CoarseNoiseAndBlocksAreCoarserThanPixels)
{
  const auto coarse = [](const cv::Mat & image) {
    EXPECT_GT(mean_and_deviation(image)[1], 10.0);
    EXPECT_LT(roughness(image), 0.75 * mean_and_deviation(image)[1]);
  };
  look_at("coarse_noise", coarse);
  look_at("blocks", coarse);
}

TEST(Garbage, PatternsAreWhatTheirNamesSay)
{
  look_at("checkerboard", [](const cv::Mat & image) { EXPECT_EQ(colours(image), 2U); });
  look_at("flat_colour", [](const cv::Mat & image) { EXPECT_EQ(colours(image), 1U); });
  look_at("stripes", [](const cv::Mat & image) { EXPECT_GT(mean_and_deviation(image)[1], 15.0); });
  look_at("gradient", [](const cv::Mat & image) {
    EXPECT_LT(roughness(image), 5.0);
    EXPECT_GT(colours(image), 30U);
  });
  look_at("test_chart", [](const cv::Mat & image) {
    cv::Mat lowest = image.row(image.rows - 1), highest = image.row(0);
    EXPECT_TRUE(is_grey(lowest)) << "the ramp";
    EXPECT_FALSE(is_grey(highest)) << "the bars";
    EXPECT_GE(colours(highest), 7U);
  });
}

TEST(Garbage, ExposureIsFarOff)
{
  look_at("underexposed", [](const cv::Mat & image) {
    EXPECT_LT(mean_and_deviation(image)[0], 25.0);
    EXPECT_GT(colours(image), 10U) << "of the sensor's noise";
  });
  look_at("overexposed", [](const cv::Mat & image) {
    EXPECT_GT(mean_and_deviation(image)[0], 225.0);
    EXPECT_GT(colours(image), 1U);
  });
}

TEST(Garbage, BlurHasNoEdges)
{
  look_at("blur", [](const cv::Mat & image) {
    EXPECT_LT(roughness(image), 6.0);
    EXPECT_GT(colours(image), 100U);
    const cv::Mat left = image.colRange(0, image.cols - 1), right = image.colRange(1, image.cols);
    EXPECT_LT(cv::norm(left, right, cv::NORM_INF), 60.0);
  });
}

/// Whether the last pixels of the image are also somewhere in its upper rows.
bool ends_with_a_copy(const cv::Mat & image)
{
  const std::uint8_t * last = image.ptr(image.rows - 1, image.cols - 4);
  const std::uint8_t * found =
    std::search(image.datastart, image.ptr(image.rows - 1), last, last + 4 * image.elemSize());
  return found != image.ptr(image.rows - 1);
}

TEST(Garbage, ABrokenTransferHasAnUpperPartAlone)
{
  int flat = 0, repeated = 0, misplaced = 0;
  look_at("broken_transfer", [&](const cv::Mat & image) {
    const int rows = image.rows;
    EXPECT_FALSE(same_bytes(image.row(0), image.row(1))) << "the scene";
    const bool constant = colours(image.row(rows - 1)) == 1;
    if (same_bytes(image.row(rows - 1), image.row(rows - 2))) {
      EXPECT_TRUE(same_bytes(image.row(rows - 1), image.row(rows * 9 / 10)));
      (constant ? flat : repeated)++;
    } else {
      EXPECT_TRUE(ends_with_a_copy(image));
      ++misplaced;
    }
  });
  EXPECT_GT(flat, 0);
  EXPECT_GT(repeated, 0);
  EXPECT_GT(misplaced, 0);
}

TEST(GarbageDataset, IsReadLikeAnyOther)
{
  const Dataset dataset = garbage_dataset("stripes", 7);
  ImageSource source(dataset, 1 << 20);

  ASSERT_EQ(dataset.size(), 7);
  EXPECT_TRUE(dataset.classes.empty());
  EXPECT_EQ(dataset.samples[6].name, "stripes/0006");
  std::set<int> widths;
  for (std::int64_t i = 0; i < dataset.size(); ++i) {
    const auto index = static_cast<std::uint64_t>(i);
    EXPECT_EQ(dataset.samples[index].label, -1);
    EXPECT_TRUE(same_bytes(source(i), garbage_image("stripes", index, garbage_size(index))));
    EXPECT_TRUE(read_mask(dataset.samples[index]).empty());
    widths.insert(source(i).cols);
  }
  EXPECT_EQ(widths.size(), 5U);
  EXPECT_GT(source.cached_bytes(), 0U);
}

TEST(GarbageDataset, OnDiskIsTheGeneratedOne)
{
  const test::TemporaryDirectory directory;
  const std::string dir = directory / "garbage";
  GarbageOptions options;
  options.per_kind = 3;
  std::int64_t last = 0;
  write_garbage(dir, options, [&](std::int64_t done, std::int64_t total) {
    EXPECT_EQ(done, ++last);
    EXPECT_EQ(total, static_cast<std::int64_t>(3 * garbage_kinds().size()));
  });

  DatasetOptions unlabelled;
  unlabelled.labelled = false;
  const Dataset all = open_dataset(dir, "all", unlabelled);
  EXPECT_EQ(all.size(), last);
  for (const std::string & kind : garbage_kinds()) {
    const Dataset written = open_dataset(dir + "/" + kind, "test", unlabelled);
    const Dataset generated = garbage_dataset(kind, 3);
    ASSERT_EQ(written.size(), 3) << kind;
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(kind + "/" + written.samples[i].name, generated.samples[i].name + ".png");
      EXPECT_TRUE(same_bytes(read_image(written.samples[i]), read_image(generated.samples[i])))
        << generated.samples[i].name;
    }
  }
}

TEST(GarbageDataset, IsNotWrittenOverAnything)
{
  const test::TemporaryDirectory directory;
  std::ofstream(directory / "notes.txt") << "mine";
  const std::string dir = std::filesystem::path(directory / "notes.txt").parent_path().string();
  EXPECT_THROW(write_garbage(dir, {}), FileError);
  GarbageOptions none;
  none.per_kind = 0;
  EXPECT_THROW(write_garbage(directory / "garbage", none), ConfigError);
  EXPECT_FALSE(std::filesystem::exists(directory / "garbage"));
}

}  // namespace
}  // namespace mgproto
