// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// The verb `watch`: a live table of predictions, scored if the player told the truth.

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <mgproto_ros/msg/prediction.hpp>
#include <mgproto_ros/msg/prototype_gallery.hpp>
#include <mutex>
#include <optional>
#include <set>

#include "cli/node_options.hpp"
#include "cli/stop_signal.hpp"
#include "cli/verbs.hpp"
#include "messages/verdict.hpp"
#include "perception/topics.hpp"
#include "tools/live_table.hpp"
#include "tools/scoreboard.hpp"
#include "tools/truth_log.hpp"

namespace mgproto::cli
{
namespace
{

using Clock = std::chrono::steady_clock;

/// For the first prediction.
constexpr std::chrono::seconds kPatience(20);

struct WatchOptions
{
  NodeCommandOptions node;
  std::string topic = "/mgproto/output/prediction";
  std::string truth;
  double seconds = 0;
  bool json = false;
  std::string dashboard_url;
};

tools::WatchedPrediction watched(const mgproto_ros::msg::Prediction & message)
{
  const perception::Stamp stamp{message.header.stamp.sec, message.header.stamp.nanosec};
  const std::int64_t latency = perception::current_stamp().nanoseconds() - stamp.nanoseconds();
  return {
    stamp,
    messages::read_status(message.status),
    message.class_name,
    message.model_id,
    message.posterior,
    message.log_density,
    message.score,
    message.threshold,
    static_cast<double>(latency) * 1e-9};
}

/// /mgproto of /mgproto/output/prediction, and, as its last part may be a camera, what is before that;
/// none of a topic of another name.
std::vector<std::string> possible_nodes(const std::string & topic)
{
  const std::string suffix = std::string("/") + perception::topics::kPrediction;
  const std::size_t end = topic.size() < suffix.size() ? 0 : topic.size() - suffix.size();
  if (topic.compare(end, std::string::npos, suffix) != 0) {
    return {};
  }
  const std::string base = topic.substr(0, end);
  std::vector<std::string> names{base};
  if (base.rfind('/') != std::string::npos && base.rfind('/') > 0) {
    names.push_back(base.substr(0, base.rfind('/')));
  }
  return names;
}

void run(const WatchOptions & options)
{
  const std::atomic<bool> & stop = stop_on_signal();
  std::mutex mutex;  // the subscription has its own thread
  tools::Scoreboard board;
  std::optional<tools::TruthFollower> truth;
  if (!options.truth.empty()) {
    truth.emplace(options.truth);
  }

  dds::Node node = options.node.join("mgproto_watch");
  const auto subscription = node.create_subscription<mgproto_ros::msg::Prediction>(
    options.topic, dds::Qos{},
    [&](const std::shared_ptr<const mgproto_ros::msg::Prediction> & message) {
      const std::lock_guard lock(mutex);
      board.add(watched(*message));
    });

  // What the model knows, which changes when it is taught, is said by its node.
  std::vector<dds::Subscription> galleries;
  for (const std::string & name : possible_nodes(subscription.topic())) {
    galleries.push_back(node.create_subscription<mgproto_ros::msg::PrototypeGallery>(
      name + (perception::topics::kPrototypes + 1), dds::latched_qos,  // without ~
      [&](const std::shared_ptr<const mgproto_ros::msg::PrototypeGallery> & message) {
        std::set<std::string> classes;
        for (const auto & prototype : message->prototypes) {
          classes.insert(prototype.class_name);
        }
        const std::lock_guard lock(mutex);
        board.set_classes(message->model_id, {classes.begin(), classes.end()});
      }));
  }

  tools::LiveTable table(options.json ? STDERR_FILENO : STDOUT_FILENO, options.dashboard_url);
  const auto seconds =
    std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options.seconds));
  Clock::time_point end = Clock::now() + seconds + kPatience;
  bool begun = false;
  while (!stop && (options.seconds == 0 || Clock::now() < end)) {
    stopped_within(std::chrono::milliseconds(50));
    const std::lock_guard lock(mutex);
    if (truth) {
      for (const tools::Truth & line : truth->poll()) {
        board.add(line);
      }
    }
    if (!begun && board.predictions() > 0) {
      begun = true;
      end = Clock::now() + seconds;
    }
    if (table.due()) {
      table.update(board.score());
    }
  }
  const std::lock_guard lock(mutex);
  const tools::Score score = board.score();
  table.finish(score);
  if (options.json) {
    std::cout << tools::summary_json(score) << std::endl;
  }
  if (score.predictions == 0) {
    throw Error(subscription.topic() + ": no prediction came");
  }
}

}  // namespace

void add_watch(CLI::App & app)
{
  auto options = std::make_shared<WatchOptions>();
  CLI::App * verb = app.add_subcommand("watch", "Show predictions as a live table, and score them");
  verb->add_option("topic", options->topic)->capture_default_str();
  verb
    ->add_option("--truth", options->truth, "what `play --log` writes: what the images really are")
    ->type_name("FILE");
  verb
    ->add_option("--seconds", options->seconds, "end so long after the first prediction; 0 = never")
    ->check(CLI::NonNegativeNumber);
  verb->add_flag("--json", options->json, "the summary as JSON on standard output, at the end");
  verb->add_option("--dashboard-url", options->dashboard_url, "to show above the table");
  options->node.add_to(*verb);
  verb->footer(
    "Examples:\n"
    "  mgproto watch\n"
    "  mgproto play birds --log truth.jsonl &\n"
    "  mgproto watch --truth truth.jsonl --seconds 20 --json");
  verb->callback([options] { run(*options); });
}

}  // namespace mgproto::cli
