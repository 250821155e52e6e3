// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DDS__LOG_HPP_
#define DDS__LOG_HPP_

#include <functional>
#include <string>

#include "perception/perception.hpp"

namespace mgproto::dds
{

/// Where a host tells what happens to it; called by any thread.
using Log = std::function<void(perception::LogLevel, const std::string &)>;

}  // namespace mgproto::dds

#endif  // DDS__LOG_HPP_
