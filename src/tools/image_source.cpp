// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <filesystem>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "datasets/layouts.hpp"
#include "mgproto_ros/error.hpp"
#include "model/image_file.hpp"
#include "tools/deck.hpp"
#include "tools/source_kinds.hpp"

namespace mgproto::tools
{
namespace
{

namespace fs = std::filesystem;

std::vector<std::size_t> first_numbers(std::size_t count)
{
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

class FolderSource : public FrameSource
{
public:
  FolderSource(std::string dir, std::vector<Sample> images, const SourceOptions & options)
  : dir_(std::move(dir)),
    images_(std::move(images)),
    options_(options),
    random_({options.seed}),
    deck_(first_numbers(images_.size()))
  {
  }

  std::optional<SourceFrame> next() override
  {
    for (std::size_t failures = 0; failures < images_.size(); ++failures) {
      if (taken_ >= images_.size() && !options_.loop) {
        return std::nullopt;
      }
      const std::size_t number =
        options_.shuffle ? deck_.deal(random_) : static_cast<std::size_t>(taken_ % images_.size());
      ++taken_;
      const Sample & image = images_[number];
      try {
        return SourceFrame{
          read_image(image.file), fs::path(image.name).parent_path().generic_string(), image.name};
      } catch (const FileError & error) {
        if (reported_.insert(number).second && options_.log) {
          options_.log(std::string(error.what()) + "; skipped");
        }
      }
    }
    throw FileError(dir_, "none of its " + std::to_string(images_.size()) + " images can be read");
  }

private:
  const std::string dir_;
  const std::vector<Sample> images_;  ///< never empty
  const SourceOptions options_;
  Random random_;
  Deck<std::size_t> deck_;
  std::uint64_t taken_ = 0;
  std::set<std::size_t> reported_;
};

class SingleImage : public FrameSource
{
public:
  SingleImage(const std::string & path, bool loop)
  : frame_{read_image(path), "", fs::path(path).filename().string()}, loop_(loop)
  {
  }

  std::optional<SourceFrame> next() override
  {
    if (std::exchange(shown_, true) && !loop_) {
      return std::nullopt;
    }
    return frame_;
  }

private:
  const SourceFrame frame_;
  const bool loop_;
  bool shown_ = false;
};

}  // namespace

std::unique_ptr<FrameSource> open_folder(const std::string & dir, const SourceOptions & options)
{
  std::vector<Sample> images;
  try {
    images = layout::open_flat(dir, "").samples;
  } catch (const fs::filesystem_error & error) {
    throw FileError(error.path1().string(), error.code().message());
  }
  if (images.empty()) {
    throw FileError(dir, "has no images in it, nor have the folders below it");
  }
  return std::make_unique<FolderSource>(dir, std::move(images), options);
}

std::unique_ptr<FrameSource> open_image(const std::string & path, const SourceOptions & options)
{
  return std::make_unique<SingleImage>(path, options.loop);
}

}  // namespace mgproto::tools
