// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef PERCEPTION__PARAMETERS_HPP_
#define PERCEPTION__PARAMETERS_HPP_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "perception/gate_settings.hpp"
#include "perception/settings.hpp"

namespace mgproto::perception
{

/// The kinds of value that ROS parameters have and these nodes use.
using Value = std::variant<bool, std::int64_t, double, std::string, std::vector<std::string>>;

/// One row of the one table that every host declares, reads and documents the parameters of a node
/// from, which are its Settings (S). The default, and with it the type, is get(S()).
template <class S>
struct ParameterOf
{
  std::string name;         ///< ood.enter
  std::string description;  ///< one sentence
  bool dynamic = false;     ///< may change while the node runs
  std::optional<double> minimum;
  std::optional<double> maximum;
  /// In words, what is allowed where a range cannot say it; empty = anything.
  std::string constraints;
  std::function<bool(const Value &)> meets_constraints;  ///< empty if there are none
  std::function<Value(const S &)> get;
  std::function<void(S &, const Value &)> set;  ///< the value comes from checked()
};

/// Of the perception node, whose table is meant where no other is named.
using Parameter = ParameterOf<Settings>;

template <class S = Settings>
const std::vector<ParameterOf<S>> & parameters();
template <>
const std::vector<ParameterOf<Settings>> & parameters();
template <>
const std::vector<ParameterOf<GateSettings>> & parameters();

/// nullptr if there is none of that name.
template <class S = Settings>
const ParameterOf<S> * find_parameter(const std::string & name);
/// Throws ConfigError, with the nearest name, if there is none of that name.
template <class S = Settings>
const ParameterOf<S> & known_parameter(const std::string & name);

/// Throws ConfigError (the name; what is allowed; what was given) for a wrong type, a number that
/// is not finite, one out of range or a value against the constraints. An integer passes for a
/// double, and is returned as one.
template <class S>
Value checked(const ParameterOf<S> & parameter, const Value & value);

struct Assignment
{
  std::string name;
  Value value;
};

/// All or nothing: `settings` with these values, the last one of each name, or ConfigError. While
/// running, fixed parameters are refused.
template <class S = Settings>
S with_values(const S & settings, const std::vector<Assignment> & values, bool running);

/// Throws ConfigError unless a node can start with these: every value passes checked(), and a model
/// is named.
void check_settings(const Settings & settings);
/// And unless every value passes checked() and the limit does not rise where trust falls.
void check_settings(const GateSettings & settings);

/// As ROS calls it: bool, integer, double, string, string_array.
std::string type_name(const Value & value);

/// The table for the documentation.
template <class S = Settings>
std::string parameters_markdown();

}  // namespace mgproto::perception

#endif  // PERCEPTION__PARAMETERS_HPP_
