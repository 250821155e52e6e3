// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DATASETS__DRAWN_FILES_HPP_
#define DATASETS__DRAWN_FILES_HPP_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <opencv2/core/mat.hpp>
#include <set>
#include <string>

namespace mgproto
{

/// Called once per picture, never by two threads at the same time.
using DrawingProgress = std::function<void(std::int64_t done, std::int64_t total)>;

/// Throws ConfigError if `value` is not in low .. high.
void check_range(const char * key, int value, int low, int high, const std::string & why = "");

/// 7 -> "0007".
std::string numbered(std::int64_t number, int digits);

/// Makes folders of a new data set. Throws FileError if `dir` has anything in it, or if a folder
/// cannot be made.
void make_new_folders(const std::string & dir, const std::set<std::filesystem::path> & folders);

/// The same bytes for the same image. Throws FileError.
void write_png(const std::filesystem::path & path, const cv::Mat & image);

/// draw(0) .. draw(count - 1) on all cores. Throws what the first one threw that failed.
void draw_on_all_cores(
  std::size_t count, const std::function<void(std::size_t)> & draw,
  const DrawingProgress & progress);

}  // namespace mgproto

#endif  // DATASETS__DRAWN_FILES_HPP_
