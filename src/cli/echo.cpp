// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// The verb `echo`: a topic's messages as text.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>
#include <memory>
#include <mutex>

#include "cli/node_options.hpp"
#include "cli/stop_signal.hpp"
#include "cli/topic_type.hpp"
#include "cli/verbs.hpp"
#include "dds/message_text.hpp"

namespace mgproto::cli
{
namespace
{

struct EchoOptions
{
  NodeCommandOptions node;
  std::string topic;
  std::uint64_t count = 0;
  bool once = false;
  bool full = false;
  bool no_arrays = false;
};

void run(const EchoOptions & options)
{
  const std::atomic<bool> & stop = stop_on_signal();
  dds::Node node = options.node.join("mgproto_echo");
  const std::string topic = node.resolve(options.topic);
  const dds::MessageType * type = wait_for_type(node, topic);
  if (!type) {
    return;
  }
  dds::TextOptions text;
  text.no_arrays = options.no_arrays;
  if (options.full) {
    text.truncate_length = 0;
  }
  const std::uint64_t wanted = options.once ? 1 : options.count;
  std::atomic<std::uint64_t> shown{0};
  const auto show = [&](const dds::Payload & payload) {
    if (wanted > 0 && shown >= wanted) {
      return;
    }
    dds::AnyMessage message(*type);
    dds::deserialize(*type, payload.data, payload.size, message.data());
    std::cout << dds::to_yaml(*type, message.data(), text) << "---" << std::endl;
    ++shown;
  };
  // What was said before is told by latched publishers alone, and only to a reader that asks for it,
  // which other publishers do not match: one reader for each kind.
  const auto latched = node.create_subscription(topic, *type, dds::latched_qos, show);
  const auto live =
    node.create_subscription(topic, *type, dds::sensor_data_qos, [&](const dds::Payload & payload) {
      if (latched.publisher_count() == 0) {
        show(payload);
      }
    });
  while (!stop && (wanted == 0 || shown < wanted)) {
    stopped_within(std::chrono::milliseconds(20));
  }
}

}  // namespace

void add_echo(CLI::App & app)
{
  auto options = std::make_shared<EchoOptions>();
  CLI::App * verb = app.add_subcommand("echo", "Print a topic's messages as YAML");
  verb->add_option("topic", options->topic)->required();
  verb->add_flag("--once", options->once, "end after the first message");
  verb->add_option("-n,--count", options->count, "end after so many messages; 0 = never");
  verb->add_flag("--full", options->full, "long arrays and texts in full");
  verb->add_flag("--no-arrays", options->no_arrays, "of arrays only type and length");
  options->node.add_to(*verb);
  verb->footer(
    "Examples:\n"
    "  mgproto echo /mgproto/output/prediction\n"
    "  mgproto echo --once --no-arrays /camera/image_raw");
  verb->callback([options] { run(*options); });
}

}  // namespace mgproto::cli
