// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "perception/gate_settings.hpp"
#include "perception/parameter_row.hpp"

namespace mgproto::perception
{
namespace
{

/// Whether each can be a topic's name is for the host to say, who resolves them.
bool are_topics(const Value & value)
{
  const auto & names = std::get<std::vector<std::string>>(value);
  return !names.empty() &&
         std::set<std::string>(names.begin(), names.end()).size() == names.size() &&
         std::none_of(
           names.begin(), names.end(), [](const std::string & name) { return name.empty(); });
}

std::vector<ParameterOf<GateSettings>> make_gate_parameters()
{
  using S = GateSettings;
  return {
    only(
      "distinct names of topics, at least one", are_topics,
      member(
        "flags", &S::flags,
        "Topics of mgproto_ros/OodFlag to judge by, one for each camera; all of them must be fresh "
        "and known.")),
    dynamic(within(
      0.05, 3600,
      member(
        "timeout", &S::timeout,
        "Seconds after which an image's flag is too old to be trusted, by its arrival and by its "
        "stamp."))),
    dynamic(within(
      0, 3600,
      member(
        "recover_seconds", &S::recover_seconds,
        "Seconds for which all must have been well before it is trusted, at the start and after "
        "every fall; 0 = at once."))),
    dynamic(within(
      1, 100,
      member(
        "speed.trusted", &S::speed_trusted,
        "Speed limit in percent of the robot's maximum while it is trusted; 100 = no "
        "restriction."))),
    dynamic(within(
      1, 100,
      member(
        "speed.untrusted", &S::speed_untrusted,
        "Speed limit in percent while it is not trusted, at most speed.trusted. Not 0, which to "
        "nav2_msgs/SpeedLimit means no limit: to stop the robot, act on ~/output/trusted."))),
    dynamic(within(
      0.1, 20,
      member(
        "rate", &S::rate,
        "Times a second that trust, limit and diagnostics are repeated, so that a gate that has "
        "ended can be noticed; a change is told at once."))),
  };
}

}  // namespace

template <>
const std::vector<ParameterOf<GateSettings>> & parameters()
{
  static const std::vector<ParameterOf<GateSettings>> table = make_gate_parameters();
  return table;
}

}  // namespace mgproto::perception
