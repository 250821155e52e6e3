// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// The pictures of a model: planes of points worked out by hand, nearest patches against a search of
// each image alone, and what is written for a small model.

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <set>

#include "mgproto_ros/error.hpp"
#include "model/checkpoint.hpp"
#include "model/image_file.hpp"
#include "small_model.hpp"
#include "temporary_directory.hpp"
#include "training/measure/pictures/patches_and_features.hpp"
#include "training/measure/pictures/plane.hpp"
#include "training/run/gallery.hpp"

namespace mgproto
{
namespace
{

namespace fs = std::filesystem;

torch::Tensor matrix_of(const std::vector<std::vector<double>> & rows)
{
  std::vector<torch::Tensor> tensors;
  for (const auto & row : rows) {
    tensors.push_back(torch::tensor(row, torch::kFloat64));
  }
  return torch::stack(tensors);
}

TEST(PcaPlane, HasTheLargestVarianceFirst)
{
  // About the mean (5, 6, 7): ±3 along z, ±1 along x, nothing along y.
  const torch::Tensor plane = pca_plane(matrix_of({{5, 6, 10}, {5, 6, 4}, {6, 6, 7}, {4, 6, 7}}));
  EXPECT_TRUE(torch::allclose(plane, matrix_of({{3, 0}, {-3, 0}, {0, 1}, {0, -1}})));
}

TEST(PcaPlane, MakesTheLargestEntryOfADirectionPositive)
{
  // ±5 along (0.6, 0.8), ±1 along (0.8, -0.6): its larger entry is positive.
  const torch::Tensor plane = pca_plane(matrix_of({{3, 4}, {-3, -4}, {0.8, -0.6}, {-0.8, 0.6}}));
  EXPECT_TRUE(torch::allclose(plane, matrix_of({{5, 0}, {-5, 0}, {0, 1}, {0, -1}})));
}

TEST(PcaPlane, HasAPlaceForOnePointAndForOneDimension)
{
  EXPECT_TRUE(torch::equal(pca_plane(matrix_of({{4, 2, 1}})), matrix_of({{0, 0}})));
  EXPECT_TRUE(torch::allclose(pca_plane(matrix_of({{1}, {3}})), matrix_of({{-1, 0}, {1, 0}})));
  EXPECT_THROW(pca_plane(torch::zeros({0, 3})), Error);
  EXPECT_THROW(pca_plane(torch::zeros({3})), Error);
}

/// Two groups of points whose middles are 12 standard deviations apart.
torch::Tensor two_groups(std::int64_t each)
{
  torch::manual_seed(5);
  torch::Tensor points = torch::randn({2 * each, 9});
  points.slice(0, each).select(1, 4).add_(12);
  return points;
}

TEST(TsnePlane, KeepsTwoGroupsApart)
{
  constexpr std::int64_t kEach = 40;
  const torch::Tensor plane = tsne_plane(two_groups(kEach));
  const torch::Tensor distances = torch::cdist(plane, plane);
  const torch::Tensor first = distances.slice(0, 0, kEach);
  // Every point's nearest points are of its own group, and the groups lie apart.
  const double between = first.slice(1, kEach).min().item<double>();
  const torch::Tensor within =
    (first.slice(1, 0, kEach) + 1e9 * torch::eye(kEach, torch::kFloat64)).amin(1);
  EXPECT_GT(between, 3 * within.max().item<double>());
}

/// Share of points whose nearest point is of their own group of `each`.
double share_beside_their_own(const torch::Tensor & plane, std::int64_t each)
{
  torch::Tensor distances = torch::cdist(plane, plane);
  distances.fill_diagonal_(std::numeric_limits<double>::infinity());
  const torch::Tensor group = torch::arange(plane.size(0)).floor_divide(each);
  return group.index_select(0, distances.argmin(1))
    .eq(group)
    .to(torch::kFloat64)
    .mean()
    .item<double>();
}

TEST(TsnePlane, SeparatesGroupsThatPcaLaysOverEachOther)
{
  // Six groups on three axes: the plane of largest variance has no room for the third one.
  constexpr std::int64_t kEach = 15;
  torch::manual_seed(6);
  torch::Tensor points = torch::randn({6 * kEach, 5});
  const double places[] = {20, -20, 16, -16, 10, -10};
  for (std::int64_t group = 0; group < 6; ++group) {
    points.slice(0, group * kEach, (group + 1) * kEach).select(1, group / 2).add_(places[group]);
  }
  EXPECT_LT(share_beside_their_own(pca_plane(points), kEach), 0.95);
  EXPECT_EQ(share_beside_their_own(tsne_plane(points, 8), kEach), 1);
}

TEST(TsnePlane, IsTheSameEveryTime)
{
  const torch::Tensor points = two_groups(20);
  EXPECT_TRUE(torch::equal(tsne_plane(points), tsne_plane(points)));
}

TEST(TsnePlane, IsFiniteForAnyPoints)
{
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const torch::Tensor & points :
       {torch::ones({1, 4}), torch::randn({2, 4}), torch::randn({3, 4}), torch::ones({50, 4}),
        1e30 * torch::randn({50, 4}), 1e-30 * torch::randn({50, 4}), torch::full({50, 4}, nan),
        torch::cat({torch::zeros({60, 4}), torch::ones({1, 4})})}) {
    const torch::Tensor plane = tsne_plane(points);
    EXPECT_EQ(plane.sizes(), (torch::IntArrayRef{points.size(0), 2}));
    EXPECT_TRUE(plane.isfinite().all().item<bool>()) << points.sizes();
  }
}

/// A model of three classes with noise to look at: seven images a class to train on, three to test.
class SmallGallery : public ::testing::Test
{
protected:
  void SetUp() override
  {
    cv::RNG random(3);
    for (const auto & [split, images] : std::map<std::string, int>{{"train", 7}, {"test", 3}}) {
      for (const std::string & name : manifest.classes) {
        const std::string folder = directory / ("data/" + split + "/" + name);
        fs::create_directories(folder);
        for (int i = 0; i < images; ++i) {
          cv::Mat image(4, 4, CV_8UC3);
          random.fill(image, cv::RNG::UNIFORM, 0, 256);
          cv::Mat large;
          cv::resize(image, large, {48, 48}, 0, 0, cv::INTER_CUBIC);
          write_image(folder + "/" + std::to_string(i) + ".png", large);
        }
      }
    }
    options.images.path = directory / "data";
    options.map = FeatureMap::pca;
  }

  Dataset training_images() const
  {
    DatasetOptions wanted;
    wanted.classes = manifest.classes;
    return open_dataset(options.images.path, "train", wanted);
  }

  LoaderConfig loader_config() const
  {
    LoaderConfig config;
    config.preprocessing = manifest.preprocessing;
    config.batch_size = 4;
    return config;
  }

  std::string saved_model()
  {
    manifest.calibration = test::small_calibration(-3);
    save_checkpoint(directory / "model.safetensors", *network, manifest);
    return directory / "model.safetensors";
  }

  WrittenGallery write(const std::string & output)
  {
    return write_gallery(
      saved_model(), options, output, [](const std::string &, std::int64_t, std::int64_t) {});
  }

  std::string refusal(const std::string & output)
  {
    try {
      write(output);
    } catch (const Error & error) {
      return error.what();
    }
    return "no error";
  }

  test::TemporaryDirectory directory;
  std::shared_ptr<Network> network = test::small_network();
  Manifest manifest = test::small_manifest();
  GalleryOptions options;
};

TEST_F(SmallGallery, FindsTheNearestPatchOfEachImage)
{
  const torch::NoGradGuard no_grad;
  const Dataset dataset = training_images();
  Loader loader(dataset, loader_config());
  const PatchesAndFeatures found = gather_patches_and_features(*network, loader, 5, 800);

  // Each image alone.
  std::vector<std::vector<std::pair<float, std::int64_t>>> expected(6);  // [K] of likelihood, image
  Loader again(dataset, loader_config());
  Batch batch;
  again.start(0);
  while (again.next(batch)) {
    const Densities densities = network->forward(images_of(batch));
    for (int b = 0; b < batch.count; ++b) {
      const auto [begin, end] =
        network->gaussian_head().range_of(static_cast<int>(batch.labels[b]));
      for (std::int64_t k = begin; k < end; ++k) {
        expected[k].emplace_back(densities.log_likelihood[b][k].item<float>(), batch.images[b]);
      }
    }
  }
  for (std::size_t k = 0; k < expected.size(); ++k) {
    std::sort(expected[k].rbegin(), expected[k].rend());
    ASSERT_EQ(expected[k].size(), 7u);
    ASSERT_EQ(found.nearest[k].size(), 5u);
    for (std::size_t i = 0; i < 5; ++i) {
      EXPECT_EQ(found.nearest[k][i].image, expected[k][i].second) << k << " " << i;
      EXPECT_NEAR(found.nearest[k][i].similarity, expected[k][i].first, 1e-4);
    }
  }
}

TEST_F(SmallGallery, FindsThePatchThatAPrototypeStandsFor)
{
  const torch::NoGradGuard no_grad;
  const Dataset dataset = training_images();
  Loader loader(dataset, loader_config());
  Batch batch;
  loader.start(0);
  ASSERT_TRUE(loader.next(batch));
  const torch::Tensor features = network->features(network->backbone_map(images_of(batch)));
  ASSERT_EQ(batch.labels[2], 0);
  network->gaussian_head().means[1].copy_(features[2].flatten(1).select(1, 4));

  const PatchesAndFeatures found = gather_patches_and_features(*network, loader, 5, 800);

  EXPECT_EQ(found.nearest[1][0].image, batch.images[2]);
  EXPECT_EQ(found.nearest[1][0].position, 4);
  EXPECT_NEAR(found.nearest[1][0].similarity, 0, 1e-5);
}

TEST_F(SmallGallery, GathersTheFeaturesThatTheMemoryOfATrainingHolds)
{
  const torch::NoGradGuard no_grad;
  const Dataset dataset = training_images();
  Loader loader(dataset, loader_config());
  const PatchesAndFeatures all = gather_patches_and_features(*network, loader, 5, 800);
  const PatchesAndFeatures four = gather_patches_and_features(*network, loader, 5, 4);
  const PatchesAndFeatures again = gather_patches_and_features(*network, loader, 5, 4);

  ASSERT_EQ(all.features.size(), 3u);
  for (int c = 0; c < 3; ++c) {
    // One prototype has one position in each of the seven images; more may share one.
    const auto [begin, end] = network->gaussian_head().range_of(c);
    EXPECT_EQ(all.images[c], 7);
    EXPECT_GE(all.features[c].size(0), 7);
    EXPECT_LE(all.features[c].size(0), 7 * (end - begin));
    EXPECT_EQ(four.features[c].size(0), 4);
    EXPECT_TRUE(torch::equal(four.features[c], again.features[c]));
    EXPECT_EQ(
      torch::cdist(four.features[c], all.features[c]).amin(1).lt(1e-6).sum().item<int>(), 4);
  }
  // Class 2 has one prototype: its features are those of the best positions.
  EXPECT_EQ(all.features[2].size(0), 7);
}

TEST_F(SmallGallery, WritesAPictureOfEachClassTheDensitiesAndAPage)
{
  options.ood["noise"] = directory / "data/test/jay";
  const std::string output = directory / "pictures";
  const WrittenGallery written = write(output);

  std::set<std::string> names;
  for (const std::string & file : written.files) {
    names.insert(fs::path(file).filename().string());
    if (fs::path(file).extension() == ".png") {
      EXPECT_FALSE(cv::imread(file).empty()) << file;
    }
  }
  EXPECT_EQ(
    names, (std::set<std::string>{
             "gallery_finch.png", "gallery_wren.png", "gallery_jay.png", "map_finch.png",
             "map_wren.png", "map_jay.png", "densities.png", "report.html"}));
  EXPECT_EQ(std::distance(fs::directory_iterator(output), fs::directory_iterator()), 8);
  EXPECT_EQ(written.broken, 0);
  // A row for each of a class's prototypes.
  const int two = cv::imread(output + "/gallery_finch.png").rows;
  const int three = cv::imread(output + "/gallery_wren.png").rows;
  const int one = cv::imread(output + "/gallery_jay.png").rows;
  EXPECT_GT(three, two);
  EXPECT_EQ(three - two, two - one);
}

TEST_F(SmallGallery, PutsAllPicturesOnAPageThatNeedsNoNetwork)
{
  manifest.classes[1] = "wren <&> \"co\"";
  fs::rename(directory / "data/train/wren", directory / ("data/train/" + manifest.classes[1]));
  fs::rename(directory / "data/test/wren", directory / ("data/test/" + manifest.classes[1]));
  write(directory / "pictures");
  std::ifstream file(directory / "pictures/report.html");
  const std::string page(std::istreambuf_iterator<char>(file), {});

  int pictures = 0;
  for (std::size_t at = page.find("<img alt=\""); at != std::string::npos;
       at = page.find("<img alt=\"", at + 1)) {
    ++pictures;
  }
  EXPECT_EQ(pictures, 7);
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
  EXPECT_NE(page.find("<h2>wren &lt;&amp;&gt; &quot;co&quot;</h2>"), std::string::npos);
  EXPECT_EQ(page.find("<&>"), std::string::npos);
  EXPECT_EQ(page.find("://"), std::string::npos);
  EXPECT_TRUE(fs::exists(directory / "pictures/gallery_wren______co_.png"));
}

TEST_F(SmallGallery, ShowsOnlyTheChosenClassesAndNoMapsIfNotWanted)
{
  options.classes = {"jay", "jay"};
  options.map = FeatureMap::none;
  EXPECT_EQ(
    write(directory / "pictures").files,
    (std::vector<std::string>{
      directory / "pictures/gallery_jay.png", directory / "pictures/densities.png",
      directory / "pictures/report.html"}));
}

TEST_F(SmallGallery, CountsImagesThatCannotBeRead)
{
  std::ofstream(directory / "data/train/finch/9.png") << "no picture";
  std::ofstream(directory / "data/test/finch/9.png") << "no picture";
  EXPECT_EQ(write(directory / "pictures").broken, 2);
}

TEST_F(SmallGallery, RefusesADirectoryThatExists)
{
  fs::create_directories(directory / "pictures");
  EXPECT_EQ(
    refusal(directory / "pictures"),
    (directory / "pictures") + ": exists already: choose another directory");
}

TEST_F(SmallGallery, NamesTheNearestClassAndWritesNothingIfThereIsNoSuchClass)
{
  options.classes = {"wrem"};
  EXPECT_EQ(
    refusal(directory / "pictures"), "class: the model has no 'wrem', did you mean 'wren'?");
  EXPECT_FALSE(fs::exists(directory / "pictures"));
}

}  // namespace
}  // namespace mgproto
