// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef PERCEPTION__PARAMETER_ROW_HPP_
#define PERCEPTION__PARAMETER_ROW_HPP_

#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

#include "perception/parameters.hpp"

// The words that a table of parameters is written in.

namespace mgproto::perception
{

/// A parameter that is one member of the settings.
template <class S, typename Member>
ParameterOf<S> member(const char * name, Member S::*place, const char * description)
{
  using Stored = std::conditional_t<std::is_same_v<Member, int>, std::int64_t, Member>;
  ParameterOf<S> parameter;
  parameter.name = name;
  parameter.description = description;
  parameter.get = [place](const S & settings) {
    return Value(static_cast<Stored>(settings.*place));
  };
  parameter.set = [place](S & settings, const Value & value) {
    settings.*place = static_cast<Member>(std::get<Stored>(value));
  };
  return parameter;
}

template <class S>
ParameterOf<S> within(double minimum, double maximum, ParameterOf<S> parameter)
{
  parameter.minimum = minimum;
  parameter.maximum = maximum;
  return parameter;
}

template <class S>
ParameterOf<S> only(
  const char * constraints, const std::function<bool(const Value &)> & met,
  ParameterOf<S> parameter)
{
  parameter.constraints = constraints;
  parameter.meets_constraints = met;
  return parameter;
}

template <class S>
ParameterOf<S> dynamic(ParameterOf<S> parameter)
{
  parameter.dynamic = true;
  return parameter;
}

}  // namespace mgproto::perception

#endif  // PERCEPTION__PARAMETER_ROW_HPP_
