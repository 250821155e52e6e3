// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "perception/album_files.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "mgproto_ros/error.hpp"
#include "model/file_io.hpp"

namespace mgproto::perception
{
namespace
{

namespace fs = std::filesystem;

constexpr const char * kPrefix = "unknown_";

/// In the order of their stamps.
std::string file_name(const AlbumImage & image)
{
  char stamp[32];
  std::snprintf(
    stamp, sizeof(stamp), "%010d_%09u_", image.header.stamp.sec, image.header.stamp.nanosec);
  return kPrefix + std::string(stamp) + (image.camera.empty() ? "camera" : image.camera) + "_" +
         std::to_string(image.id);
}

std::string json_of(const AlbumImage & image)
{
  const nlohmann::ordered_json json{
    {"stamp", {{"sec", image.header.stamp.sec}, {"nanosec", image.header.stamp.nanosec}}},
    {"frame_id", image.header.frame_id},
    {"camera", image.camera},
    {"region", {image.region.x, image.region.y, image.region.width, image.region.height}},
    {"detection_id", image.detection_id},
    {"group", image.group},
    {"nearest_class", image.nearest_class},
    {"reason", image.reason}};
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

AlbumFiles::AlbumFiles(const std::string & directory) : directory_(directory)
{
  std::error_code problem;
  fs::create_directories(directory, problem);
  if (problem) {
    throw FileError(directory, problem.message());
  }
}

void AlbumFiles::keep(const AlbumImage & image, std::size_t size)
{
  const std::string path = (fs::path(directory_) / file_name(image)).string();
  const std::string json = json_of(image);
  write_atomically(path + ".json", {{json.data(), json.size()}});
  write_atomically(path + ".jpg", {{image.jpeg.data(), image.jpeg.size()}});

  std::vector<fs::path> own;
  for (const auto & entry : fs::directory_iterator(directory_)) {
    if (
      entry.path().extension() == ".jpg" &&
      entry.path().filename().string().rfind(kPrefix, 0) == 0) {
      own.push_back(entry.path());
    }
  }
  std::sort(own.begin(), own.end());
  for (std::size_t i = 0; i + size < own.size(); ++i) {
    fs::remove(own[i]);
    fs::remove(fs::path(own[i]).replace_extension(".json"));
  }
}

}  // namespace mgproto::perception
