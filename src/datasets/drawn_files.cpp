// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "datasets/drawn_files.hpp"

#include <atomic>
#include <exception>
#include <iomanip>
#include <locale>
#include <mutex>
#include <opencv2/imgcodecs.hpp>
#include <sstream>
#include <thread>
#include <vector>

#include "mgproto_ros/error.hpp"

namespace mgproto
{

void check_range(const char * key, int value, int low, int high, const std::string & why)
{
  if (value < low || value > high) {
    throw ConfigError(
      key, "is " + std::to_string(value) + ", expected " + std::to_string(low) + " to " +
             std::to_string(high) + why);
  }
}

std::string numbered(std::int64_t number, int digits)
{
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text << std::setw(digits) << std::setfill('0') << number;
  return text.str();
}

void make_new_folders(const std::string & dir, const std::set<std::filesystem::path> & folders)
{
  namespace fs = std::filesystem;
  try {
    if (fs::exists(dir) && !(fs::is_directory(dir) && fs::is_empty(dir))) {
      throw FileError(dir, "exists and is not an empty directory; choose another one");
    }
    for (const fs::path & folder : folders) {
      fs::create_directories(folder);
    }
  } catch (const fs::filesystem_error & error) {
    throw FileError(dir, error.code().message());
  }
}

void write_png(const std::filesystem::path & path, const cv::Mat & image)
{
  static const std::vector<int> settings = {
    cv::IMWRITE_PNG_COMPRESSION, 3, cv::IMWRITE_PNG_STRATEGY, cv::IMWRITE_PNG_STRATEGY_DEFAULT};
  if (!cv::imwrite(path.string(), image, settings)) {
    throw FileError(path.string(), "cannot be written");
  }
}

void draw_on_all_cores(
  std::size_t count, const std::function<void(std::size_t)> & draw,
  const DrawingProgress & progress)
{
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::int64_t done = 0;
  std::exception_ptr failure;
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        draw(i);
        const std::lock_guard<std::mutex> lock(mutex);
        ++done;
        if (progress) {
          progress(done, static_cast<std::int64_t>(count));
        }
      } catch (...) {
        const std::lock_guard<std::mutex> lock(mutex);
        failure = failure ? failure : std::current_exception();
        next = count;
      }
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < std::thread::hardware_concurrency(); ++i) {
    threads.emplace_back(work);
  }
  work();
  for (std::thread & thread : threads) {
    thread.join();
  }
  if (failure) {
    std::rethrow_exception(failure);
  }
}

}  // namespace mgproto
