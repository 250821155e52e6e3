// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef PERCEPTION__TAUGHT_VERSIONS_HPP_
#define PERCEPTION__TAUGHT_VERSIONS_HPP_

#include <string>
#include <vector>

#include "mgproto_ros/manifest.hpp"

namespace mgproto::perception
{

/// What has become of a model by teaching: a file for each step, numbered, of which the newest counts.
/// So a step, and taking it back, is one file that appears or disappears, whatever happens in between.
/// The model's own file is never touched.
class TaughtVersions
{
public:
  /// Steps that can be taken back.
  static constexpr int kKept = 10;

  /// Of the model at `base`, in a directory of its own below `directory`: it comes back whenever the same
  /// file does. Without a directory in a temporary one, which goes with this object.
  TaughtVersions(const std::string & base, const std::string & directory);
  ~TaughtVersions();
  TaughtVersions(const TaughtVersions &) = delete;
  TaughtVersions & operator=(const TaughtVersions &) = delete;

  const std::string & base() const { return base_; }
  bool is_kept() const { return !is_temporary_; }

  /// The newest first, and the model itself last.
  std::vector<std::string> files() const;

  /// Where the next version is to be written; `current` is what the newest says of itself. Throws
  /// FileError if nothing can be written, or if another process teaches the same model there.
  std::string next(const Manifest & current);
  /// What the newest version was made of. Throws Error if that is not there, and as next() does: what
  /// cannot be removed must not be left.
  std::string previous();
  /// Throws as next() does.
  void remove_newest();

private:
  std::string file(int number) const;
  std::vector<int> numbers() const;  // ascending
  void lock();
  void bring_backbone(const Manifest & current);

  const std::string base_;
  const std::string stem_;
  bool is_temporary_;
  std::string directory_;  // empty until something is written to a temporary one
  int lock_ = -1;
};

}  // namespace mgproto::perception

#endif  // PERCEPTION__TAUGHT_VERSIONS_HPP_
