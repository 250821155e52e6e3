// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "perception/trust_gate.hpp"

#include <algorithm>

#include "model/number_text.hpp"

namespace mgproto::perception
{
namespace
{

double seconds_between(TrustGate::Clock::time_point then, TrustGate::Clock::time_point now)
{
  return std::chrono::duration<double>(now - then).count();
}

}  // namespace

TrustGate::TrustGate(const std::vector<std::string> & sources, const GateSettings & settings)
: settings_(settings), sources_(sources.begin(), sources.end())
{
}

void TrustGate::add(std::size_t source, const OodFlag & flag, const Moment & now)
{
  look(now);  // a silence counts, also if nobody has asked during it
  sources_.at(source).add(flag, now, settings_.timeout);
  look(now);
}

void TrustGate::look(const Moment & now)
{
  if (clock_ && now.clock.nanoseconds() < clock_->nanoseconds()) {
    std::for_each(sources_.begin(), sources_.end(), [](FlagSource & source) { source.forget(); });
  }
  clock_ = now.clock;

  const std::optional<Doubt> against = doubt(now);
  if (against) {
    falls_ += trusted_ ? 1 : 0;
    trusted_ = false;
    well_since_.reset();
    doubt_ = *against;
    return;
  }
  well_since_ = well_since_.value_or(now.steady);
  const double well = seconds_between(*well_since_, now.steady);
  trusted_ = trusted_ || well >= settings_.recover_seconds;
}

std::optional<Doubt> TrustGate::doubt(const Moment & now) const
{
  if (now.clock.nanoseconds() == 0) {
    return Doubt{Level::error, "the clock has not started: nothing on /clock"};
  }
  if (sources_.empty()) {
    return Doubt{Level::error, "nobody to listen to"};
  }
  std::optional<Doubt> all;
  for (const FlagSource & source : sources_) {
    if (const std::optional<Doubt> one = source.doubt(now, settings_.timeout)) {
      all = all ? Doubt{std::max(all->level, one->level), all->text + "; " + one->text} : *one;
    }
  }
  return all;
}

std::string TrustGate::reason(const Moment & now) const
{
  if (!well_since_) {
    return doubt_.text;
  }
  return "well for only " + fixed(seconds_between(*well_since_, now.steady), 1) + " of " +
         fixed(settings_.recover_seconds, 1) + " s so far, after " + doubt_.text;
}

std::optional<Trust> TrustGate::news(const Moment & now)
{
  look(now);
  const Trust trust{
    trusted_, trusted_ ? settings_.speed_trusted : settings_.speed_untrusted,
    trusted_ ? "" : reason(now)};
  const bool changed =
    !told_ || told_->trusted != trust.trusted || told_->speed_limit != trust.speed_limit;
  // Who asks regularly may ask a little too early.
  constexpr std::chrono::duration<double> kTolerance = std::chrono::duration<double>(kAskEvery) / 2;
  const double due = 1 / settings_.rate - kTolerance.count();
  if (!changed && seconds_between(told_at_, now.steady) < due) {
    return std::nullopt;
  }
  told_ = trust;
  told_at_ = now.steady;
  return trust;
}

Diagnosis TrustGate::diagnosis(const Moment & now) const
{
  Diagnosis diagnosis;
  diagnosis.name = kTrustDiagnosis;
  diagnosis.level = trusted_ ? Level::ok : well_since_ ? Level::warn : doubt_.level;
  diagnosis.message = trusted_ ? "trusted" : kNotTrusted + reason(now);
  diagnosis.values = {
    {kTrustedKey, trusted_ ? "true" : "false"},
    {kSpeedLimitKey, general(trusted_ ? settings_.speed_trusted : settings_.speed_untrusted, 6)},
    {kPeriodKey, general(1 / settings_.rate, 4)},
    {"falls", std::to_string(falls_)}};
  for (const FlagSource & source : sources_) {
    const std::optional<double> silence = source.silence(now);
    diagnosis.values.emplace_back(source.name() + " flags", std::to_string(source.flags()));
    diagnosis.values.emplace_back(
      source.name() + " silent [s]", silence ? fixed(*silence, 1) : "n/a");
  }
  return diagnosis;
}

}  // namespace mgproto::perception
