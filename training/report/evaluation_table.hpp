// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__REPORT__EVALUATION_TABLE_HPP_
#define TRAINING__REPORT__EVALUATION_TABLE_HPP_

#include <string>

#include "training/measure/results.hpp"

namespace mgproto
{

/// For a terminal.
std::string evaluation_table(const Evaluation & evaluation);

}  // namespace mgproto

#endif  // TRAINING__REPORT__EVALUATION_TABLE_HPP_
