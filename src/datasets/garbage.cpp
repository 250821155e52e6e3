// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "datasets/garbage.hpp"

#include <array>
#include <filesystem>
#include <set>

#include "datasets/garbage_kinds.hpp"
#include "mgproto_ros/error.hpp"

namespace mgproto
{
namespace
{

struct GarbageKind
{
  const char * name;
  void (*draw)(cv::Mat & image, Random & random);
};

constexpr GarbageKind kGarbageKinds[] = {
  {"uniform_noise", garbage::draw_uniform_noise},     {"grey_noise", garbage::draw_grey_noise},
  {"gaussian_noise", garbage::draw_gaussian_noise},   {"coarse_noise", garbage::draw_coarse_noise},
  {"salt_and_pepper", garbage::draw_salt_and_pepper}, {"blocks", garbage::draw_blocks},
  {"checkerboard", garbage::draw_checkerboard},       {"stripes", garbage::draw_stripes},
  {"flat_colour", garbage::draw_flat_colour},         {"gradient", garbage::draw_gradient},
  {"test_chart", garbage::draw_test_chart},           {"underexposed", garbage::draw_underexposed},
  {"overexposed", garbage::draw_overexposed},         {"blur", garbage::draw_blur},
  {"broken_transfer", garbage::draw_broken_transfer},
};

const GarbageKind & garbage_kind(const std::string & name)
{
  std::string known;
  for (const GarbageKind & kind : kGarbageKinds) {
    if (kind.name == name) {
      return kind;
    }
    known += (known.empty() ? "" : ", ") + std::string(kind.name);
  }
  throw ConfigError("garbage", "no kind is named '" + name + "'; expected one of " + known);
}

/// Part of the random key: by its name, a kind stays what it is when others are added.
std::uint64_t key_of(const std::string & name)
{
  std::uint64_t key = 0;
  for (const char letter : name) {
    key = Random::mix(key + static_cast<unsigned char>(letter));
  }
  return key;
}

std::string garbage_name(const std::string & kind, std::int64_t index)
{
  return kind + "/" + numbered(index, 4);
}

}  // namespace

const std::vector<std::string> & garbage_kinds()
{
  static const std::vector<std::string> names = [] {
    std::vector<std::string> result;
    for (const GarbageKind & kind : kGarbageKinds) {
      result.emplace_back(kind.name);
    }
    return result;
  }();
  return names;
}

cv::Mat garbage_image(
  const std::string & kind, std::uint64_t index, cv::Size size, std::uint64_t seed)
{
  const GarbageKind & chosen = garbage_kind(kind);
  if (size.width < 1 || size.height < 1) {
    throw ConfigError(
      "size", "is " + std::to_string(size.width) + " x " + std::to_string(size.height) +
                ", expected at least 1 x 1");
  }
  Random random({seed, key_of(kind), index});
  cv::Mat image(size, CV_8UC3);
  chosen.draw(image, random);
  return image;
}

cv::Size garbage_size(std::uint64_t index)
{
  static const std::array<cv::Size, 5> sizes = {
    {{64, 64}, {224, 224}, {320, 240}, {96, 96}, {640, 480}}};
  return sizes[index % sizes.size()];
}

Dataset garbage_dataset(const std::string & kind, std::int64_t count)
{
  garbage_kind(kind);
  if (count < 1) {
    throw ConfigError("garbage", "is " + std::to_string(count) + " images, expected 1 or more");
  }
  Dataset dataset;
  dataset.root = "garbage/" + kind;
  dataset.layout = "garbage";
  dataset.split = "all";
  for (std::int64_t i = 0; i < count; ++i) {
    Sample sample;
    sample.name = garbage_name(kind, i);
    sample.generated = kind;
    sample.record = i;
    dataset.samples.push_back(std::move(sample));
  }
  return dataset;
}

void write_garbage(
  const std::string & dir, const GarbageOptions & options, const DrawingProgress & progress)
{
  check_range("per_kind", options.per_kind, 1, 9999);
  const std::filesystem::path root(dir);
  std::set<std::filesystem::path> folders;
  for (const std::string & kind : garbage_kinds()) {
    folders.insert(root / kind);
  }
  make_new_folders(dir, folders);

  const auto per_kind = static_cast<std::size_t>(options.per_kind);
  const auto write = [&](std::size_t i) {
    const std::string & kind = garbage_kinds()[i / per_kind];
    const std::size_t index = i % per_kind;
    write_png(
      root / (garbage_name(kind, static_cast<std::int64_t>(index)) + ".png"),
      garbage_image(kind, index, garbage_size(index), options.seed));
  };
  draw_on_all_cores(garbage_kinds().size() * per_kind, write, progress);
}

}  // namespace mgproto
