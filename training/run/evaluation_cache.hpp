// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__RUN__EVALUATION_CACHE_HPP_
#define TRAINING__RUN__EVALUATION_CACHE_HPP_

#include <torch/types.h>

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "datasets/dataset.hpp"

namespace mgproto
{

/// Names the images of a data set and all that is known about them: other ones, or files with another
/// content, give another text. Reads all files.
std::string fingerprint(const Dataset & dataset);

/// Results by a key that names all they depend on; the package's version is added to it. What cannot
/// be read or written is as if it were not there: a cache only saves time.
class EvaluationCache
{
public:
  /// Without a directory nothing is found and nothing kept.
  explicit EvaluationCache(std::string directory) : directory_(std::move(directory)) {}

  /// `ending` is of the file: a result may be kept in several forms.
  std::optional<std::string> text(const std::string & key, const std::string & ending) const;
  void keep(const std::string & key, const std::string & ending, const std::string & text) const;

  using Tensors = std::map<std::string, torch::Tensor>;
  std::optional<Tensors> tensors(const std::string & key) const;
  void keep(const std::string & key, const Tensors & tensors) const;

private:
  /// Throws Error without a directory.
  std::string file_of(const std::string & key, const std::string & ending) const;
  void try_to_write(const std::function<void()> & write) const;

  std::string directory_;
};

}  // namespace mgproto

#endif  // TRAINING__RUN__EVALUATION_CACHE_HPP_
