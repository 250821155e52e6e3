// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TOOLS__SCOREBOARD_HPP_
#define TOOLS__SCOREBOARD_HPP_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "mgproto_ros/prediction.hpp"
#include "tools/truth_log.hpp"

namespace mgproto::tools
{

/// What the node said about a frame.
struct WatchedPrediction
{
  Stamp stamp;
  Verdict status = Verdict::unknown;
  std::string class_name;  ///< the best class, whatever the status; empty if there is none
  std::string model_id;
  double posterior = 0;
  double log_density = 0;
  double score = 0;      ///< what decided
  double threshold = 0;  ///< on the score; NaN without calibration
  double latency = 0;    ///< seconds from the stamp to the receipt
};

/// How the frames of one kind were answered.
struct KindScore
{
  std::string kind;
  std::uint64_t count = 0;     ///< frames whose truth and prediction both came
  std::uint64_t right = 0;     ///< with the right best class, accepted or not
  std::uint64_t accepted = 0;  ///< with the status KNOWN

  /// Shares of `count`; empty if there was none.
  std::optional<double> accuracy() const { return share(right); }
  std::optional<double> accepted_share() const { return share(accepted); }
  std::optional<double> rejected_share() const { return share(count - accepted); }

private:
  std::optional<double> share(std::uint64_t part) const
  {
    return count == 0
             ? std::nullopt
             : std::optional<double>(static_cast<double>(part) / static_cast<double>(count));
  }
};

/// How a class was answered that the model was taught while it was watched.
struct TaughtScore
{
  std::string name;
  KindScore before{"before"};  ///< should be rejected
  KindScore after{"after"};    ///< should be recognised
};

/// The state of a scoreboard.
struct Score
{
  std::uint64_t frames = 0;       ///< published, as the truths say
  std::uint64_t predictions = 0;  ///< received
  KindScore known{"known"};
  std::vector<KindScore> unknown;   ///< what should be rejected, kinds as they came up
  std::vector<TaughtScore> taught;  ///< classes, as they were taught; before that also in `unknown`
  std::optional<double> latency_p50, latency_p95;  ///< seconds, of the newest 10000 predictions
  std::optional<double> rate;                      ///< predictions per second, over five seconds
  std::optional<WatchedPrediction> newest;
  std::optional<std::string> newest_label;  ///< the truth about `newest`, if it has come
};

/// Joins predictions with truths by their stamps, in whatever order they come.
///
/// A label is KIND/CLASS. A frame of a class that the model knows should be accepted as that class, any
/// other rejected; a model whose classes nobody has told knows those of the kind `known`. One whose label is
/// empty, or known without a class, is not scored. A class is the same with and without the number of
/// CUB-200-2011's class names: 005.Collared_Plover is Collared_Plover.
///
/// Of several predictions for one frame the first is scored. A frame waits for its other half
/// until some thousand newer ones have come; memory is bounded. Not for use by two threads at once.
class Scoreboard
{
public:
  using Clock = std::chrono::steady_clock;

  /// What a model knows. Of a model that comes first nothing is taught.
  void set_classes(const std::string & model_id, const std::vector<std::string> & classes);
  void add(const Truth & truth);
  void add(const WatchedPrediction & prediction, Clock::time_point now = Clock::now());

  std::uint64_t predictions() const { return totals_.predictions; }  ///< received
  Score score(Clock::time_point now = Clock::now()) const;

private:
  struct Half
  {
    bool has_truth = false;
    bool has_prediction = false;
    std::string label;
    std::string class_name;
    std::string model_id;
    bool accepted = false;
    bool counted = false;
  };

  Half & half_of(const Stamp & stamp);
  /// Once both halves are there, and what the model knows.
  void count(Half & frame);
  KindScore & unknown_kind(const std::string & kind);
  TaughtScore * taught_class(const std::string & name);

  Score totals_;                                          ///< without latency and rate
  std::map<std::string, std::set<std::string>> classes_;  ///< by model, plain
  std::set<std::string> first_classes_;
  std::map<std::string, KindScore> unseen_;  ///< by class, what nobody has taught yet
  std::map<std::int64_t, Half> frames_;      ///< by stamp, in nanoseconds
  std::deque<std::int64_t> order_;           ///< the keys of frames_, oldest arrival first
  std::deque<double> latencies_;
  std::optional<Clock::time_point> first_receipt_;
  std::deque<Clock::time_point> receipts_;
};

/// {"frames","predictions","known":{"count","accuracy","accepted"},
///  "unknown":{KIND:{"count","rejected"},...},
///  "taught":{CLASS:{"before":{"count","rejected"},"after":{"count","accuracy","accepted"}},...},
///  "latency_ms":{"p50","p95"}} on one line. A share of nothing is null.
std::string summary_json(const Score & score);

}  // namespace mgproto::tools

#endif  // TOOLS__SCOREBOARD_HPP_
