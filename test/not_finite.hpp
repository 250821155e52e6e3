// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef NOT_FINITE_HPP_
#define NOT_FINITE_HPP_

#include <limits>

namespace mgproto
{

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

}  // namespace mgproto

#endif  // NOT_FINITE_HPP_
