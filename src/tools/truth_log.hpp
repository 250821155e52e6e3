// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TOOLS__TRUTH_LOG_HPP_
#define TOOLS__TRUTH_LOG_HPP_

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "perception/frame.hpp"

namespace mgproto::tools
{

using perception::Stamp;

/// What a published frame really shows.
struct Truth
{
  Stamp stamp;
  std::string label;
  std::string name;
};

/// Writes truths as lines {"stamp":{"sec","nanosec"},"label","name"}; each is in the file when
/// write() returns.
class TruthLog
{
public:
  /// Empties the file, or makes it. Throws FileError.
  explicit TruthLog(const std::string & path);
  ~TruthLog();
  TruthLog(const TruthLog &) = delete;
  TruthLog & operator=(const TruthLog &) = delete;

  /// Throws FileError.
  void write(const Truth & truth);

private:
  std::string path_;
  int file_;
};

/// Reads a truth log while it grows.
class TruthFollower
{
public:
  /// The file need not exist yet.
  explicit TruthFollower(std::string path) : path_(std::move(path)) {}

  /// The truths that were added since the last call, at most about a megabyte of them. A last line
  /// without its end waits for the next call; a file that was emptied or replaced is read anew.
  /// Throws FileError if the file is there but cannot be read.
  std::vector<Truth> poll();

  /// Lines that were no truth, and were left out.
  std::uint64_t broken_lines() const { return broken_lines_; }

private:
  std::string new_text();

  std::string path_;
  off_t offset_ = 0;
  ino_t inode_ = 0;
  std::string rest_;  ///< of a line that is not complete
  bool skip_rest_ = false;
  std::uint64_t broken_lines_ = 0;
};

}  // namespace mgproto::tools

#endif  // TOOLS__TRUTH_LOG_HPP_
