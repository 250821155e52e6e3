// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef CLI__PROGRESS_BAR_HPP_
#define CLI__PROGRESS_BAR_HPP_

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

namespace mgproto::cli
{

/// How far a long work has come, with the time that is left: a bar on standard error in a terminal,
/// every quarter of a minute a plain line elsewhere.
class ProgressBar
{
public:
  explicit ProgressBar(std::string label);

  /// `details` stands behind the bar: losses, rates.
  void update(std::int64_t done, std::int64_t total, const std::string & details = "");

  /// Removes the bar, so that the next line stands alone.
  void finish();

private:
  using Clock = std::chrono::steady_clock;

  std::string label_;
  bool terminal_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point shown_ = Clock::now();
};

/// A bar for each work of a series: a new one whenever the label changes.
class ProgressBars
{
public:
  void update(
    const std::string & label, std::int64_t done, std::int64_t total,
    const std::string & details = "");

  /// As update(), and removes the bar of a work that is done.
  void step(const std::string & label, std::int64_t done, std::int64_t total);

  /// Removes the bar, so that the next line stands alone.
  void finish();

private:
  std::string label_;
  std::unique_ptr<ProgressBar> bar_;
};

}  // namespace mgproto::cli

#endif  // CLI__PROGRESS_BAR_HPP_
