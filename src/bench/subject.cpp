// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "bench/subject.hpp"

#include <stdlib.h>
#include <torch/torch.h>

#include <filesystem>
#include <opencv2/imgproc.hpp>

#include "birds/picture.hpp"
#include "mgproto_ros/error.hpp"
#include "model/checkpoint.hpp"
#include "model/image_file.hpp"

namespace mgproto::bench
{
namespace
{

constexpr int kSeed = 1;

/// Drawn small and enlarged: drawing many pixels takes long, and what they show does not matter.
cv::Mat bird(int species, int index, int width, int height)
{
  constexpr int kDrawn = 96;
  Random random{kSeed, static_cast<std::uint64_t>(species), static_cast<std::uint64_t>(index)};
  const cv::Mat small =
    birds::draw_scene(birds::SceneKind::SeenBird, species, kDrawn, kDrawn, random);
  cv::Mat picture;
  cv::resize(small, picture, {width, height}, 0, 0, cv::INTER_CUBIC);
  return picture;
}

}  // namespace

std::shared_ptr<Network> new_network(const Plan & plan)
{
  torch::manual_seed(kSeed);
  return std::make_shared<Network>(
    plan.model, std::make_shared<GaussianHead>(plan.classes, plan.prototypes, plan.model.head));
}

std::shared_ptr<Network> inference_network(const Plan & plan)
{
  auto network = new_network(plan);
  network->prepare_for_inference();
  network->pack_for_cpu();
  return network;
}

void write_network(
  const std::string & path, const Plan & plan, const std::vector<std::string> & classes)
{
  Manifest manifest;
  manifest.preprocessing.size = plan.image_size;
  manifest.classes = classes;
  for (int c = static_cast<int>(classes.size()); c < plan.classes; ++c) {
    manifest.classes.push_back("class " + std::to_string(c));
  }
  save_checkpoint(path, *new_network(plan), manifest);
}

cv::Mat camera_picture(int index)
{
  return bird(index % static_cast<int>(birds::seen_species().size()), index, 640, 480);
}

torch::Tensor random_images(std::int64_t count, std::int64_t size)
{
  torch::manual_seed(kSeed);
  return torch::randn({count, 3, size, size});
}

torch::Tensor random_features(const Plan & plan, std::int64_t classes)
{
  torch::manual_seed(kSeed);
  const std::int64_t D = plan.model.head.feature_dim;
  return unit_vectors(torch::randn({classes * plan.memory, D})).view({classes, plan.memory, D});
}

TemporaryFolder::TemporaryFolder()
{
  path_ = (std::filesystem::temp_directory_path() / "mgproto_bench_XXXXXX").string();
  if (mkdtemp(path_.data()) == nullptr) {
    throw FileError(path_, "cannot be made");
  }
}

TemporaryFolder::~TemporaryFolder()
{
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

Dataset draw_birds(const std::string & folder, int classes, int per_class, int width, int height)
{
  for (int c = 0; c < classes; ++c) {
    const std::string of_class = folder + "/" + birds::seen_species().at(c).name;
    std::filesystem::create_directories(of_class);
    for (int i = 0; i < per_class; ++i) {
      write_image(of_class + "/" + std::to_string(i) + ".jpg", bird(c, i, width, height));
    }
  }
  return open_dataset(folder, "all");
}

}  // namespace mgproto::bench
