// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/live_table.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "model/number_text.hpp"
#include "model/utf8.hpp"
#include "tools/terminal_text.hpp"

namespace mgproto::tools
{
namespace
{

constexpr std::chrono::milliseconds kBetweenTables{200};
constexpr std::chrono::seconds kBetweenLines{5};
constexpr int kKindColumns = 18;
constexpr int kNumberColumns = 12;

constexpr const char * kGreen = "\033[1;32m";
constexpr const char * kRed = "\033[1;31m";
constexpr const char * kYellow = "\033[1;33m";
constexpr const char * kFaint = "\033[2m";
constexpr const char * kPlain = "\033[0m";

std::string share_text(const std::optional<double> & share)
{
  return share ? percent(*share) : "-";
}

std::string milliseconds(const std::optional<double> & seconds)
{
  return seconds ? fixed(1000 * *seconds, 1) + " ms" : "-";
}

std::string verdict_words(const WatchedPrediction & prediction)
{
  const std::string name = terminal_safe(prediction.class_name);
  switch (prediction.status) {
    case Verdict::known:
      return "KNOWN: " + name;
    case Verdict::unknown:
      return name.empty() ? "UNKNOWN" : "UNKNOWN, nearest " + name;
    case Verdict::uncalibrated:
      break;
  }
  return "NOT CALIBRATED, nearest " + name;
}

const char * verdict_colour(Verdict verdict)
{
  return verdict == Verdict::known ? kGreen : verdict == Verdict::unknown ? kRed : kYellow;
}

std::string density_words(const WatchedPrediction & prediction)
{
  if (!std::isfinite(prediction.log_density)) {
    return "log p(x) is not finite";
  }
  std::string words = "log p(x) " + fixed(prediction.log_density, 3);
  if (std::isfinite(prediction.threshold)) {
    const auto [score, threshold] = told_apart(prediction.score, prediction.threshold, 3, fixed);
    words = "log p(x) " + (prediction.score != prediction.log_density
                             ? fixed(prediction.log_density, 3) + ", score " + score
                             : score);
    words +=
      (prediction.score >= prediction.threshold ? " >= " : " < ") + threshold + " (threshold)";
  }
  return words + ", p(c|x) " + fixed(prediction.posterior, 3);
}

std::string rate_words(const Score & score)
{
  return std::to_string(score.frames) + " frames published, " + std::to_string(score.predictions) +
         " predictions, " + (score.rate ? fixed(*score.rate, 1) : "-") + " a second";
}

std::string latency_words(const Score & score)
{
  return "latency " + milliseconds(score.latency_p50) + " (median), " +
         milliseconds(score.latency_p95) + " (95 %)";
}

std::string row(
  const std::string & kind, const std::string & answered, const std::string & accepted,
  const std::string & rejected, const std::string & right)
{
  return left_aligned(kind, kKindColumns) + right_aligned(answered, kNumberColumns) +
         right_aligned(accepted, kNumberColumns) + right_aligned(rejected, kNumberColumns) +
         right_aligned(right, kNumberColumns);
}

std::string row(const KindScore & kind, const std::string & right)
{
  return row(
    terminal_safe(kind.kind), std::to_string(kind.count), share_text(kind.accepted_share()),
    share_text(kind.rejected_share()), right);
}

void write_all(int output, const std::string & text)
{
  for (std::size_t written = 0; written < text.size();) {
    const ssize_t count = ::write(output, text.data() + written, text.size() - written);
    if (count < 0 && errno != EINTR) {
      return;  // nobody looks any more
    }
    written += count > 0 ? static_cast<std::size_t>(count) : 0;
  }
}

bool is_set(const char * variable)
{
  const char * value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

}  // namespace

std::vector<std::string> table_lines(const Score & score, const TableStyle & style)
{
  std::vector<std::string> lines;
  const auto add = [&](const std::string & text, const char * colour = nullptr) {
    const std::string shown = cut(text, style.width);
    lines.push_back(colour != nullptr && style.colour ? colour + shown + kPlain : shown);
  };
  if (score.newest) {
    add(verdict_words(*score.newest), verdict_colour(score.newest->status));
    add(density_words(*score.newest));
    add("in truth: " + (score.newest_label ? terminal_safe(*score.newest_label) : "?"), kFaint);
  } else {
    add("no prediction yet");
    add("");
    add("");
  }
  add("");
  add(row("shown", "answered", "accepted", "rejected", "right class"), kFaint);
  add(row(score.known, share_text(score.known.accuracy())));
  for (const KindScore & kind : score.unknown) {
    add(row(kind, ""));
  }
  for (const TaughtScore & taught : score.taught) {
    add("taught: " + terminal_safe(taught.name), kGreen);
    add(row(taught.before, ""));
    add(row(taught.after, share_text(taught.after.accuracy())));
  }
  add("");
  add(rate_words(score));
  add(latency_words(score));
  if (!style.dashboard_url.empty()) {
    add("dashboard: " + terminal_safe(style.dashboard_url));
  }
  return lines;
}

std::string table_line(const Score & score)
{
  std::string line = rate_words(score) + ", " + latency_words(score);
  if (score.known.count > 0) {
    line += "; known: " + share_text(score.known.accuracy()) + " right, " +
            share_text(score.known.accepted_share()) + " accepted";
  }
  for (const KindScore & kind : score.unknown) {
    if (kind.count > 0) {
      line +=
        "; " + terminal_safe(kind.kind) + ": " + share_text(kind.rejected_share()) + " rejected";
    }
  }
  for (const TaughtScore & taught : score.taught) {
    line += "; " + terminal_safe(taught.name) + ": before it was taught " +
            share_text(taught.before.rejected_share()) + " rejected, then " +
            share_text(taught.after.accuracy()) + " right, " +
            share_text(taught.after.accepted_share()) + " accepted";
  }
  if (score.newest) {
    line += "; newest " + verdict_words(*score.newest);
  }
  return line;
}

LiveTable::LiveTable(int output, std::string dashboard_url)
: output_(output), dashboard_url_(std::move(dashboard_url))
{
  const char * terminal = std::getenv("TERM");
  in_place_ = isatty(output) != 0 && terminal != nullptr && std::strcmp(terminal, "dumb") != 0;
  colour_ = in_place_ && !is_set("NO_COLOR");
}

bool LiveTable::due(Clock::time_point now) const
{
  if (!shown_) {
    return true;
  }
  return now - *shown_ >= (in_place_ ? Clock::duration(kBetweenTables) : kBetweenLines);
}

void LiveTable::update(const Score & score, Clock::time_point now)
{
  if (due(now) && (in_place_ || score.newest)) {
    shown_ = now;
    show(score);
  }
}

void LiveTable::finish(const Score & score) { show(score); }

void LiveTable::show(const Score & score)
{
  if (!in_place_) {
    write_all(output_, table_line(score) + "\n");
    return;
  }
  TableStyle style;
  style.colour = colour_;
  style.dashboard_url = dashboard_url_;
  std::size_t height = 24;
  winsize size;
  if (ioctl(output_, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 1) {
    style.width = size.ws_col;
    height = size.ws_row;
  }
  // A table higher than the screen could not be drawn over itself.
  std::vector<std::string> lines = table_lines(score, style);
  lines.resize(std::min(lines.size(), height - 1));

  std::string text;
  if (lines_on_screen_ > 0) {
    text = "\033[" + std::to_string(lines_on_screen_) + "A";
  }
  text += "\r\033[J";
  for (const std::string & line : lines) {
    text += line + "\n";
  }
  lines_on_screen_ = lines.size();
  write_all(output_, text);
}

}  // namespace mgproto::tools
