// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef PERCEPTION__TRUST_GATE_HPP_
#define PERCEPTION__TRUST_GATE_HPP_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "perception/flag_source.hpp"
#include "perception/gate_settings.hpp"

namespace mgproto::perception
{

/// What an autonomy stack is told.
struct Trust
{
  bool trusted = false;
  double speed_limit = 0;  ///< percent of the robot's maximum
  std::string reason;      ///< why it is not trusted, naming the source; empty if it is
};

// How its diagnosis is told from others, and what it is read by.
inline constexpr const char * kTrustDiagnosis = "trust";
inline constexpr const char * kTrustedKey = "trusted";
inline constexpr const char * kSpeedLimitKey = "speed limit [%]";
inline constexpr const char * kPeriodKey = "repeated every [s]";
inline constexpr const char * kNotTrusted = "not trusted: ";  ///< then the reason

/// Whether what perception says may be acted on at full speed: every source must have said lately
/// that its image is known. Falls at once, also for silence and old images, and recovers when all has
/// been well for recover_seconds. Not trusted before the first flags, nor before the node's clock has
/// started, and never because that clock was set.
///
/// Without a clock or a thread of its own: told what comes and when, and asked often. Not for several
/// threads at once.
class TrustGate
{
public:
  using Clock = std::chrono::steady_clock;

  /// A fall for want of news is told no later than this after it, if the gate is asked so often.
  static constexpr std::chrono::milliseconds kAskEvery{50};

  /// Names of the topics of flags, for the reasons.
  TrustGate(const std::vector<std::string> & sources, const GateSettings & settings);

  const GateSettings & settings() const { return settings_; }
  void set_settings(const GateSettings & settings) { settings_ = settings; }

  void add(std::size_t source, const OodFlag & flag, const Moment & now);

  /// What is to be published now: a change, or what was told last once more when it is due by `rate`.
  std::optional<Trust> news(const Moment & now);

  /// For /diagnostics: as the last news were.
  Diagnosis diagnosis(const Moment & now) const;

private:
  void look(const Moment & now);
  /// All that speaks against trust now.
  std::optional<Doubt> doubt(const Moment & now) const;
  /// Why it is not trusted: what speaks against it, or did until lately.
  std::string reason(const Moment & now) const;

  GateSettings settings_;
  std::vector<FlagSource> sources_;
  std::optional<Stamp> clock_;                   // when last asked
  std::optional<Clock::time_point> well_since_;  // nothing speaks against trust
  bool trusted_ = false;
  Doubt doubt_;  // the last; there is one before the first flag
  std::uint64_t falls_ = 0;
  std::optional<Trust> told_;
  Clock::time_point told_at_;
};

}  // namespace mgproto::perception

#endif  // PERCEPTION__TRUST_GATE_HPP_
