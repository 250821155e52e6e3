// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TEACH__TEACHABLE_MODEL_HPP_
#define TEACH__TEACHABLE_MODEL_HPP_

#include <memory>
#include <string>
#include <vector>

#include "mgproto_ros/recognizer.hpp"
#include "teach/teach_images.hpp"

namespace mgproto
{

/// A model in use: what answers, and what can become of it by teaching. What it becomes shares its
/// backbone and is ready to answer at once. One thread may use the recognizer while another one teaches.
class TeachableModel
{
public:
  /// Throws as Recognizer's constructor does.
  TeachableModel(const std::string & path, const Recognizer::Options & options);

  const std::string & path() const { return path_; }
  Recognizer & recognizer() { return *recognizer_; }
  const Manifest & manifest() const { return recognizer_->manifest(); }
  /// Why it can be taught nothing; empty if it can.
  std::string problem() const;

  // Each writes what becomes of this model to `output`, atomically, and gives it; this one stays as it
  // is. Throw Error as teach_images() and without_class() do, and FileError.

  TeachableModel taught(
    const std::string & name, const std::vector<LessonImage> & images,
    const std::string & output) const;
  TeachableModel without(const std::string & name, const std::string & output) const;

private:
  TeachableModel(
    std::shared_ptr<Checkpoint> checkpoint, const std::string & path,
    const Recognizer::Options & options);
  /// To be changed: the one in use, or, where that is not in the CPU's memory, the file's.
  std::shared_ptr<Checkpoint> model() const;
  TeachableModel saved(Checkpoint changed, const std::string & output) const;

  std::string path_;
  Recognizer::Options options_;
  std::shared_ptr<Checkpoint> checkpoint_;
  std::shared_ptr<Recognizer> recognizer_;
};

}  // namespace mgproto

#endif  // TEACH__TEACHABLE_MODEL_HPP_
