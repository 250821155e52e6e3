// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/scoreboard.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace mgproto::tools
{
namespace
{

constexpr std::size_t kLatencies = 10000;
constexpr std::size_t kReceipts = 10000;
constexpr std::size_t kWaitingFrames = 4096;
/// A folder may have any number of folders; what goes beyond these is counted as one kind.
constexpr std::size_t kKinds = 12;
constexpr std::size_t kUnseenClasses = 1000;
constexpr std::size_t kModels = 64;
constexpr const char * kOtherKinds = "others";
constexpr const char * kKnown = "known";

constexpr std::chrono::duration<double> kRateWindow{5.0};
constexpr double kShortestForRate = 1.0;  ///< seconds

/// Without the number in front of CUB-200-2011's class names.
std::string plain_class(const std::string & name)
{
  const std::size_t digits = name.find_first_not_of("0123456789");
  const bool numbered = digits != std::string::npos && digits > 0 && name[digits] == '.';
  return numbered ? name.substr(digits + 1) : name;
}

/// The smallest value that at least this share of all values do not exceed.
std::optional<double> quantile(std::vector<double> values, double share)
{
  if (values.empty()) {
    return std::nullopt;
  }
  const auto rank =
    static_cast<std::ptrdiff_t>(std::ceil(share * static_cast<double>(values.size())));
  const auto at = values.begin() + std::max<std::ptrdiff_t>(rank - 1, 0);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

nlohmann::ordered_json or_null(const std::optional<double> & value, double factor = 1)
{
  return value ? nlohmann::ordered_json(*value * factor) : nlohmann::ordered_json();
}

}  // namespace

void Scoreboard::add(const Truth & truth)
{
  ++totals_.frames;
  Half & frame = half_of(truth.stamp);
  if (frame.has_truth) {
    return;
  }
  frame.has_truth = true;
  frame.label = truth.label;
  if (totals_.newest && totals_.newest->stamp == truth.stamp) {
    totals_.newest_label = truth.label;
  }
  count(frame);
}

void Scoreboard::add(const WatchedPrediction & prediction, Clock::time_point now)
{
  ++totals_.predictions;
  if (std::isfinite(prediction.latency)) {
    latencies_.push_back(prediction.latency);
    if (latencies_.size() > kLatencies) {
      latencies_.pop_front();
    }
  }
  first_receipt_ = first_receipt_.value_or(now);
  receipts_.push_back(now);
  while (receipts_.size() > kReceipts || now - receipts_.front() > kRateWindow) {
    receipts_.pop_front();
  }

  Half & frame = half_of(prediction.stamp);
  totals_.newest = prediction;
  totals_.newest_label = frame.has_truth ? std::optional<std::string>(frame.label) : std::nullopt;
  if (frame.has_prediction) {
    return;
  }
  frame.has_prediction = true;
  frame.class_name = prediction.class_name;
  frame.model_id = prediction.model_id;
  frame.accepted = prediction.status == Verdict::known;
  count(frame);
}

void Scoreboard::set_classes(const std::string & model_id, const std::vector<std::string> & classes)
{
  std::set<std::string> plain;
  for (const std::string & name : classes) {
    plain.insert(plain_class(name));
  }
  if (first_classes_.empty()) {
    first_classes_ = plain;
  }
  for (const std::string & name : plain) {
    if (first_classes_.count(name) == 0 && taught_class(name) == nullptr) {
      totals_.taught.push_back({name});
      KindScore & before = totals_.taught.back().before;
      before.count = unseen_[name].count;
      before.accepted = unseen_[name].accepted;
    }
  }
  if (classes_.size() >= kModels) {
    classes_.erase(classes_.begin());
  }
  classes_[model_id] = std::move(plain);
  for (auto & [stamp, frame] : frames_) {
    count(frame);
  }
}

Scoreboard::Half & Scoreboard::half_of(const Stamp & stamp)
{
  const auto [place, is_new] = frames_.try_emplace(stamp.nanoseconds());
  if (is_new) {
    order_.push_back(place->first);
    if (order_.size() > kWaitingFrames) {
      frames_.erase(order_.front());
      order_.pop_front();
    }
  }
  return place->second;
}

void Scoreboard::count(Half & frame)
{
  const std::size_t slash = frame.label.find('/');
  const std::string kind = frame.label.substr(0, slash);
  const std::string name = plain_class(frame.label.substr(frame.label.rfind('/') + 1));
  const auto classes = classes_.find(frame.model_id);
  const bool is_said_known = kind == kKnown;
  if (
    frame.counted || !frame.has_truth || !frame.has_prediction ||
    (classes == classes_.end() && !classes_.empty() && !is_said_known) || kind.empty() ||
    frame.label == kKnown) {
    return;
  }
  frame.counted = true;
  const bool is_known =
    is_said_known || (classes != classes_.end() && classes->second.count(name) > 0);
  const bool is_taught = is_known && !first_classes_.empty() && first_classes_.count(name) == 0;
  TaughtScore * taught = taught_class(name);
  const bool is_right = plain_class(frame.class_name) == name;
  const auto add_to = [&](KindScore & score) {
    ++score.count;
    score.accepted += frame.accepted ? 1 : 0;
    score.right += is_right ? 1 : 0;
  };
  if (is_taught && taught != nullptr) {
    add_to(taught->after);
  } else if (is_known) {
    add_to(totals_.known);
  } else {
    add_to(unknown_kind(kind));
    if (taught != nullptr) {
      add_to(taught->before);  // forgotten again, or answered by the model before
    } else if (unseen_.size() < kUnseenClasses || unseen_.count(name) > 0) {
      add_to(unseen_[name]);
    }
  }
}

TaughtScore * Scoreboard::taught_class(const std::string & name)
{
  const auto found = std::find_if(
    totals_.taught.begin(), totals_.taught.end(),
    [&](const TaughtScore & taught) { return taught.name == name; });
  return found == totals_.taught.end() ? nullptr : &*found;
}

KindScore & Scoreboard::unknown_kind(const std::string & kind)
{
  std::vector<KindScore> & kinds = totals_.unknown;
  const auto find = [&](const std::string & name) {
    return std::find_if(
      kinds.begin(), kinds.end(), [&](const KindScore & score) { return score.kind == name; });
  };
  auto found = find(kind);
  if (found == kinds.end()) {
    const std::string name = kinds.size() < kKinds ? kind : kOtherKinds;
    found = find(name);
    if (found == kinds.end()) {
      kinds.emplace_back();
      kinds.back().kind = name;
      return kinds.back();
    }
  }
  return *found;
}

Score Scoreboard::score(Clock::time_point now) const
{
  Score score = totals_;
  const std::vector<double> latencies(latencies_.begin(), latencies_.end());
  score.latency_p50 = quantile(latencies, 0.5);
  score.latency_p95 = quantile(latencies, 0.95);
  if (first_receipt_) {
    // The first receipt ends no interval.
    const auto counts = [&](Clock::time_point receipt) {
      return now - receipt <= kRateWindow && receipt != *first_receipt_;
    };
    const std::chrono::duration<double> watched = now - *first_receipt_;
    if (watched.count() >= kShortestForRate) {
      score.rate = static_cast<double>(std::count_if(receipts_.begin(), receipts_.end(), counts)) /
                   std::min(watched, kRateWindow).count();
    }
  }
  return score;
}

std::string summary_json(const Score & score)
{
  using nlohmann::ordered_json;
  ordered_json unknown = ordered_json::object();
  for (const KindScore & kind : score.unknown) {
    unknown[kind.kind] = {{"count", kind.count}, {"rejected", or_null(kind.rejected_share())}};
  }
  ordered_json taught = ordered_json::object();
  for (const TaughtScore & one : score.taught) {
    taught[one.name] = {
      {"before", {{"count", one.before.count}, {"rejected", or_null(one.before.rejected_share())}}},
      {"after",
       {{"count", one.after.count},
        {"accuracy", or_null(one.after.accuracy())},
        {"accepted", or_null(one.after.accepted_share())}}}};
  }
  const ordered_json json{
    {"frames", score.frames},
    {"predictions", score.predictions},
    {"known",
     {{"count", score.known.count},
      {"accuracy", or_null(score.known.accuracy())},
      {"accepted", or_null(score.known.accepted_share())}}},
    {"unknown", unknown},
    {"taught", taught},
    {"latency_ms",
     {{"p50", or_null(score.latency_p50, 1000)}, {"p95", or_null(score.latency_p95, 1000)}}}};
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace mgproto::tools
