// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/progress_bar.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace mgproto::cli
{
namespace
{

constexpr int kWidth = 24;
constexpr double kSecondsBetweenFrames = 0.1;
constexpr double kSecondsBetweenLines = 15;

std::string duration(double seconds)
{
  const auto whole = static_cast<long>(seconds + 0.5);
  char text[32];
  if (whole >= 3600) {
    std::snprintf(text, sizeof(text), "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
  } else {
    std::snprintf(text, sizeof(text), "%ld:%02ld", whole / 60, whole % 60);
  }
  return text;
}

}  // namespace

ProgressBar::ProgressBar(std::string label)
: label_(std::move(label)), terminal_(isatty(STDERR_FILENO) != 0)
{
}

void ProgressBar::update(std::int64_t done, std::int64_t total, const std::string & details)
{
  const auto now = Clock::now();
  const double pause = terminal_ ? kSecondsBetweenFrames : kSecondsBetweenLines;
  const bool just_done = done == total && terminal_;
  if (!just_done && std::chrono::duration<double>(now - shown_).count() < pause) {
    return;
  }
  shown_ = now;
  const double share = total > 0 ? static_cast<double>(done) / static_cast<double>(total) : 1;
  const double spent = std::chrono::duration<double>(now - begin_).count();
  const std::string left = share > 0 ? duration(spent * (1 - share) / share) : "?";
  if (terminal_) {
    const int filled = std::clamp(static_cast<int>(share * kWidth), 0, kWidth);
    std::fprintf(
      stderr, "\r%s [%s%s] %3.0f %%  %s left  %s\033[K", label_.c_str(),
      std::string(filled, '=').c_str(), std::string(kWidth - filled, ' ').c_str(), 100 * share,
      left.c_str(), details.c_str());
  } else {
    std::fprintf(
      stderr, "%s %3.0f %%  %s left  %s\n", label_.c_str(), 100 * share, left.c_str(),
      details.c_str());
  }
}

void ProgressBar::finish()
{
  if (terminal_) {
    std::fputs("\r\033[K", stderr);
  }
}

void ProgressBars::update(
  const std::string & label, std::int64_t done, std::int64_t total, const std::string & details)
{
  if (!bar_ || label != label_) {
    label_ = label;
    bar_ = std::make_unique<ProgressBar>(label);
  }
  bar_->update(done, total, details);
}

void ProgressBars::step(const std::string & label, std::int64_t done, std::int64_t total)
{
  update(label, done, total);
  if (done == total) {
    finish();
  }
}

void ProgressBars::finish()
{
  if (bar_) {
    bar_->finish();
  }
}

}  // namespace mgproto::cli
