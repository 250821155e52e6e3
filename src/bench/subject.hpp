// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef BENCH__SUBJECT_HPP_
#define BENCH__SUBJECT_HPP_

#include <memory>
#include <opencv2/core/mat.hpp>
#include <string>
#include <vector>

#include "bench/plan.hpp"
#include "datasets/dataset.hpp"
#include "model/network.hpp"

namespace mgproto::bench
{

// What the measurements are made on. Weights are random, and always the same: how long a pass takes
// does not depend on them.

/// The plan's network, as training begins.
std::shared_ptr<Network> new_network(const Plan & plan);
/// The same, prepared for inference.
std::shared_ptr<Network> inference_network(const Plan & plan);

/// Its checkpoint; classes are numbered unless they are given.
void write_network(
  const std::string & path, const Plan & plan, const std::vector<std::string> & classes = {});

/// A camera's picture, 640x480, BGR.
cv::Mat camera_picture(int index = 0);

/// Network input [B, 3, size, size].
torch::Tensor random_images(std::int64_t count, std::int64_t size);

/// Unit vectors [C, N, D], as a memory bank holds them.
torch::Tensor random_features(const Plan & plan, std::int64_t classes);

/// A directory of its own that is gone with this object.
class TemporaryFolder
{
public:
  /// Throws FileError if there is no place for it.
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder & operator=(const TemporaryFolder &) = delete;

  const std::string & path() const { return path_; }

private:
  std::string path_;
};

/// Draws so many birds of each of the first species, at least two, as JPEG files into `folder`.
Dataset draw_birds(const std::string & folder, int classes, int per_class, int width, int height);

}  // namespace mgproto::bench

#endif  // BENCH__SUBJECT_HPP_
