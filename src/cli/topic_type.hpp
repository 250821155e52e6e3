// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef CLI__TOPIC_TYPE_HPP_
#define CLI__TOPIC_TYPE_HPP_

#include <string>

#include "dds/node.hpp"

namespace mgproto::cli
{

/// Waits until somebody uses the topic, saying so, and finds out its type. Throws Error for a type
/// that this program does not know; nullptr if a signal came first.
const dds::MessageType * wait_for_type(const dds::Node & node, const std::string & topic);

}  // namespace mgproto::cli

#endif  // CLI__TOPIC_TYPE_HPP_
