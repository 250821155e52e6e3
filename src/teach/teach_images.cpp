// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "teach/teach_images.hpp"

#include <torch/torch.h>

#include <algorithm>
#include <ctime>
#include <nlohmann/json.hpp>

#include "mgproto_ros/error.hpp"
#include "model/evidence.hpp"
#include "model/image_file.hpp"
#include "model/preprocessing.hpp"
#include "model/teach.hpp"
#include "visual/patch_picture.hpp"

namespace mgproto
{
namespace
{

constexpr std::size_t kLongestName = 100;  // bytes
constexpr int kLargestPicture = 320;       // pixels of the longer side
constexpr std::int64_t kBatch = 8;
constexpr std::size_t kEnoughImages = 5;

void check_name(const std::string & name)
{
  if (name.empty() || name.size() > kLongestName) {
    throw ConfigError("name", "expected 1 to " + std::to_string(kLongestName) + " bytes");
  }
  const bool printable =
    std::none_of(name.begin(), name.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; });
  if (!printable || name.front() == ' ' || name.back() == ' ') {
    throw ConfigError("name", "has a control character, or a space at an end");
  }
  try {
    static_cast<void>(nlohmann::json(name).dump());
  } catch (const nlohmann::json::exception &) {
    throw ConfigError("name", "is not UTF-8");
  }
}

std::shared_ptr<SeenImages> see(
  Network & network, const PreprocessingConfig & config, const std::vector<LessonImage> & images)
{
  if (network.is_training()) {
    network.eval();
  }
  Preprocessor preprocess(config);
  const auto count = static_cast<std::int64_t>(images.size());
  torch::Tensor input = torch::empty({count, 3, config.size, config.size});
  for (std::int64_t i = 0; i < count; ++i) {
    try {
      preprocess(view_of(images[i].pixels), input[i].data_ptr<float>());
    } catch (const ImageError & error) {
      throw ImageError(images[i].name + ": " + error.what());
    }
  }
  std::vector<torch::Tensor> pooled, features;
  for (std::int64_t i = 0; i < count; i += kBatch) {
    const torch::Tensor z = network.backbone_map(input.slice(0, i, i + kBatch));
    pooled.push_back(z.mean({2, 3}));
    features.push_back(network.features(z));
  }
  return std::make_shared<SeenImages>(
    torch::cat(pooled), torch::cat(features), torch::zeros({count}));
}

/// The newest ones, if there are too many.
void keep_newest(TaughtClass & lesson, std::shared_ptr<SeenImages> & shown)
{
  if (lesson.images.size() > kMostShown) {
    const auto dropped = static_cast<std::int64_t>(lesson.images.size() - kMostShown);
    lesson.images.erase(lesson.images.begin(), lesson.images.begin() + dropped);
    shown = shown->where(torch::arange(shown->size()) >= dropped);
  }
}

/// Where in its image a prototype is a patch of, and that patch.
Provenance source_of(
  Checkpoint & model, std::int64_t prototype, const ShownImage & shown,
  const torch::Tensor & features /*[D, h, w]*/, std::int64_t position)
{
  const GaussianHead & head = model.network->gaussian_head();
  const torch::Tensor map =
    head.log_likelihood_maps(features.unsqueeze(0), torch::tensor({prototype}, torch::kInt64))
      .exp()
      .contiguous();  // [1, 1, P]
  const auto cols = static_cast<int>(features.size(2));
  const std::vector<float> values(map.data_ptr<float>(), map.data_ptr<float>() + map.numel());
  Provenance source;
  source.image = shown.name;
  source.row = static_cast<int>(position) / cols;
  source.col = static_cast<int>(position) % cols;
  source.box = activation_box(
    values, static_cast<int>(features.size(1)), cols,
    geometry_of(model.manifest.preprocessing, shown.width, shown.height));
  const cv::Mat picture = decode_image(shown.picture.data(), shown.picture.size());
  const cv::Rect in_picture = visual::scaled(
    {source.box.x, source.box.y, source.box.width, source.box.height}, {shown.width, shown.height},
    picture.size());
  Provenance small = source;
  small.box = {in_picture.x, in_picture.y, in_picture.width, in_picture.height};
  visual::store_patch(small, picture);
  source.patch = std::move(small.patch);
  source.in_patch = small.in_patch;
  return source;
}

}  // namespace

Checkpoint teach_images(
  Checkpoint & model, const std::string & name, const std::vector<LessonImage> & images,
  const std::string & when)
{
  const torch::NoGradGuard no_grad;
  check_name(name);
  if (images.empty()) {
    throw Error("no image to teach '" + name + "' by");
  }
  if (const std::string problem = teaching_problem(*model.network); !problem.empty()) {
    throw Error("the model " + problem);
  }

  Checkpoint base = model;
  TaughtClass lesson{name, when, {}};
  std::shared_ptr<SeenImages> shown = see(*model.network, model.manifest.preprocessing, images);
  const auto & taught = model.manifest.taught;
  const auto before = std::find_if(
    taught.begin(), taught.end(), [&](const TaughtClass & one) { return one.name == name; });
  if (before != taught.end()) {
    lesson.images = before->images;
    shown = images_of(model, name)->with(*shown);
    base = without_class(model, name);
  }
  for (const LessonImage & image : images) {
    ShownImage & one = lesson.images.emplace_back();
    one.name = image.name;
    one.width = image.pixels.cols;
    one.height = image.pixels.rows;
    one.picture = visual::small_jpeg(image.pixels, kLargestPicture);
  }
  keep_newest(lesson, shown);

  Taught result = with_class(base, lesson, *shown);
  Manifest & manifest = result.model.manifest;
  if (!manifest.prototypes.empty()) {
    const std::size_t first = manifest.prototypes.size() - result.image.size();
    for (std::size_t m = 0; m < result.image.size(); ++m) {
      manifest.prototypes[first + m] = source_of(
        result.model, static_cast<std::int64_t>(first + m), lesson.images[result.image[m]],
        shown->features[result.image[m]], result.position[m]);
    }
  }
  return result.model;
}

std::string caution_for(std::size_t images)
{
  return images >= kEnoughImages
           ? ""
           : "so few leave it uncertain how often it is recognised, and what else is taken for it";
}

std::string utc_now()
{
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

}  // namespace mgproto
