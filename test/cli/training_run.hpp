// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef CLI__TRAINING_RUN_HPP_
#define CLI__TRAINING_RUN_HPP_

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "temporary_directory.hpp"

namespace mgproto::test
{

inline std::string read(const std::string & path)
{
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

/// A small training that has been done, in `straight`, and its data.
class TrainingRun : public ::testing::Test
{
protected:
  static void SetUpTestSuite()
  {
    directory = std::make_unique<TemporaryDirectory>();
    setenv("XDG_CACHE_HOME", (*directory / "cache").c_str(), 1);
    ASSERT_EQ(
      wait_for(start(
        {"dataset", "birds", "--out", *directory / "data", "--classes", "3", "--per-class", "16",
         "--size", "48"})),
      0);
    std::ofstream(*directory / "tiny.yaml")
      << "data: {path: " << *directory / "data/birds"
      << ", calibration: " << *directory / "data/calibration"
      << ", workers: 1,\n  ood: {textures: " << *directory / "data/ood/textures"
      << "}}\n"
         "backbone: {architecture: resnet18, width: 0.0625}\n"
         "head: {feature_dim: 8}\nnetwork: {prototypes_per_class: 3}\n"
         "preprocessing: {size: 48}\nthreads: 1\n"
         "em: {memory: 8, start: 1}\nmining: {levels: 2, start: 1}\n"
         "schedule: {epochs: 4, batch: 4, frozen_stages: 2}\naugmentation: {views: 2}\nfinish: "
         "{concentration: 2, prune: [2], keep: 2}\n"
         "checkpoint: {every: 0.3}\n";
    ASSERT_EQ(wait_for(train(*directory / "straight")), 0);
  }
  static void TearDownTestSuite() { directory.reset(); }

  /// Starts the command with its output in a file; the process is the caller's to wait for.
  static pid_t start(const std::vector<std::string> & arguments)
  {
    const pid_t child = fork();
    if (child == 0) {
      std::freopen((*directory / "output").c_str(), "w", stdout);
      dup2(STDOUT_FILENO, STDERR_FILENO);
      std::vector<char *> argv{const_cast<char *>(MGPROTO_COMMAND)};
      for (const auto & argument : arguments) {
        argv.push_back(const_cast<char *>(argument.c_str()));
      }
      argv.push_back(nullptr);
      execv(MGPROTO_COMMAND, argv.data());
      std::_Exit(127);
    }
    return child;
  }

  static pid_t train(const std::string & run)
  {
    return start({"train", "--config", *directory / "tiny.yaml", "--out", run});
  }

  /// Exit code, or minus the signal that ended it.
  static int wait_for(pid_t child)
  {
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

  static std::string output() { return read(*directory / "output"); }

  /// The birds as train/<class> and test/<class>, to be changed.
  static void copy_as_split_folders(const std::string & to)
  {
    namespace fs = std::filesystem;
    std::set<fs::path> images;
    for (const auto & entry : fs::recursive_directory_iterator(*directory / "data/birds/images")) {
      if (entry.is_regular_file()) {
        images.insert(entry.path());
      }
    }
    int i = 0;
    for (const fs::path & image : images) {
      const fs::path folder =
        fs::path(to) / (i++ % 4 == 0 ? "test" : "train") / image.parent_path().filename();
      fs::create_directories(folder);
      fs::copy(image, folder);
    }
  }

  static std::vector<std::filesystem::path> entries_of(const std::string & folder)
  {
    std::set<std::filesystem::path> sorted;
    for (const auto & entry : std::filesystem::directory_iterator(folder)) {
      sorted.insert(entry.path());
    }
    return {sorted.begin(), sorted.end()};
  }

  /// Waits until the run has written so many lines of metrics.
  static void wait_for_lines(const std::string & run, int lines)
  {
    for (int i = 0; i < 6000; ++i) {
      const std::string metrics = read(run + "/metrics.jsonl");
      if (std::count(metrics.begin(), metrics.end(), '\n') >= lines) {
        return;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    FAIL() << "no " << lines << " lines in " << run << "\n" << output();
  }

  inline static std::unique_ptr<TemporaryDirectory> directory;
};

}  // namespace mgproto::test

#endif  // CLI__TRAINING_RUN_HPP_
