// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "cli/topic_type.hpp"

#include <cstdio>

#include "cli/stop_signal.hpp"
#include "mgproto_ros/error.hpp"

namespace mgproto::cli
{

const dds::MessageType * wait_for_type(const dds::Node & node, const std::string & topic)
{
  const std::atomic<bool> & stop = stop_on_signal();
  bool said = false;
  while (!stop) {
    const auto name = node.wait_for_type(topic, std::chrono::milliseconds(said ? 100 : 1000));
    if (name) {
      const dds::MessageType * type = dds::find_message_type(*name);
      if (!type) {
        throw Error(topic + ": has messages of type " + *name + ", which are not known here");
      }
      return type;
    }
    if (!said) {
      std::fprintf(stderr, "waiting for somebody who publishes %s\n", topic.c_str());
      said = true;
    }
  }
  return nullptr;
}

}  // namespace mgproto::cli
