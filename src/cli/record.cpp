// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// The verb `record`: messages as JSON lines.

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <memory>
#include <mutex>

#include "cli/node_options.hpp"
#include "cli/stop_signal.hpp"
#include "cli/topic_type.hpp"
#include "cli/verbs.hpp"
#include "dds/message_text.hpp"
#include "mgproto_ros/error.hpp"

namespace mgproto::cli
{
namespace
{

struct RecordOptions
{
  NodeCommandOptions node;
  std::vector<std::string> topics{"/mgproto/output/prediction"};
  std::string output;
  std::uint64_t count = 0;
};

/// Opens a new file for lines, or standard output.
class LineWriter
{
public:
  explicit LineWriter(const std::string & path)
  {
    if (path.empty()) {
      return;
    }
    if (std::ifstream(path)) {
      throw FileError(path, "exists already and is not overwritten");
    }
    file_.open(path);
    if (!file_) {
      throw FileError(path, "cannot be written");
    }
  }

  void write(const std::string & line)
  {
    std::ostream & stream = file_.is_open() ? file_ : std::cout;
    stream << line << std::endl;
    failed_ = failed_ || !stream;
  }

  bool failed() const { return failed_; }

private:
  std::ofstream file_;
  bool failed_ = false;
};

void run(const RecordOptions & options)
{
  const std::atomic<bool> & stop = stop_on_signal();
  dds::Node node = options.node.join("mgproto_recorder");
  LineWriter lines(options.output);
  std::mutex mutex;  // subscriptions have threads of their own
  std::uint64_t written = 0;
  const auto ended = [&] {
    const std::lock_guard lock(mutex);
    return stop || lines.failed() || (options.count > 0 && written >= options.count);
  };

  std::vector<dds::Subscription> subscriptions;
  for (const std::string & name : options.topics) {
    const std::string topic = node.resolve(name);
    const dds::MessageType * type = wait_for_type(node, topic);
    if (!type) {
      return;
    }
    const auto record = [&, topic, type](const dds::Payload & payload) {
      dds::AnyMessage message(*type);
      dds::deserialize(*type, payload.data, payload.size, message.data());
      const std::chrono::duration<double> received =
        std::chrono::system_clock::now().time_since_epoch();
      nlohmann::ordered_json line{{"topic", topic}, {"received", received.count()}};
      line.update(dds::to_json(*type, message.data()));
      const std::lock_guard lock(mutex);
      if (options.count == 0 || written < options.count) {
        lines.write(line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
        ++written;
      }
    };
    subscriptions.push_back(node.create_subscription(topic, *type, dds::Qos{}, record));
  }
  while (!ended()) {
    stopped_within(std::chrono::milliseconds(20));
  }
  subscriptions.clear();
  if (lines.failed()) {
    throw FileError(options.output.empty() ? "standard output" : options.output, "is full or gone");
  }
  std::fprintf(stderr, "mgproto record: %llu messages\n", static_cast<unsigned long long>(written));
}

}  // namespace

void add_record(CLI::App & app)
{
  auto options = std::make_shared<RecordOptions>();
  CLI::App * verb =
    app.add_subcommand("record", "Write predictions (or any topic's messages) as JSON lines");
  verb->add_option("topics", options->topics)->capture_default_str();
  verb->add_option("-o,--out", options->output, "file to make; standard output if not given")
    ->type_name("FILE");
  verb->add_option("-n,--count", options->count, "end after so many messages; 0 = never");
  options->node.add_to(*verb);
  verb->footer(
    "Examples:\n"
    "  mgproto record --out predictions.jsonl\n"
    "  mgproto record /mgproto/output/ood | jq .unknown\n"
    "Numbers that are not finite are null; of byte arrays only the length is written.");
  verb->callback([options] { run(*options); });
}

}  // namespace mgproto::cli
