// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// The verb `play`: images as a camera would send them.

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <memory>
#include <optional>
#include <sensor_msgs/msg/compressed_image.hpp>
#include <sensor_msgs/msg/image.hpp>

#include "cli/node_options.hpp"
#include "cli/stop_signal.hpp"
#include "cli/verbs.hpp"
#include "messages/image_output.hpp"
#include "perception/topics.hpp"
#include "tools/frame_pace.hpp"
#include "tools/frame_source.hpp"
#include "tools/truth_log.hpp"

namespace mgproto::cli
{
namespace
{

constexpr double kDefaultRate = 15;

struct PlayOptions
{
  NodeCommandOptions node;
  std::string source;
  tools::SourceOptions images;
  std::string topic = "/camera/image_raw";
  std::string frame_id = "camera";
  std::optional<double> rate;
  std::string log;
  bool compressed = false;
  bool wait = false;
};

void run(PlayOptions options)
{
  const std::atomic<bool> & stop = stop_on_signal();
  options.images.log = [](const std::string & line) {
    std::fprintf(stderr, "mgproto play: %s\n", line.c_str());
  };
  const auto source = tools::open_source(options.source, options.images);
  std::optional<tools::TruthLog> truth;
  if (!options.log.empty()) {
    truth.emplace(options.log);
  }

  dds::Node node = options.node.join("mgproto_player");
  const dds::Qos newest{true, false, 1};
  const std::string topic = node.resolve(options.topic);
  auto raw = node.create_publisher<sensor_msgs::msg::Image>(topic, newest);
  auto compressed = node.create_publisher<sensor_msgs::msg::CompressedImage>(
    topic + perception::topics::kCompressed, newest);
  const auto listeners = [&] { return raw.subscription_count() + compressed.subscription_count(); };
  while (options.wait && listeners() == 0 && !stopped_within(std::chrono::milliseconds(20))) {
  }

  const double rate = options.rate.value_or(source->native_rate().value_or(kDefaultRate));
  std::fprintf(stderr, "mgproto play: %s at %g Hz\n", topic.c_str(), rate);
  tools::FramePace pace(rate);
  std::int64_t count = 0;
  while (pace.wait(stop)) {
    const auto frame = source->next();
    if (!frame) {
      break;
    }
    const perception::Header header{perception::current_stamp(), options.frame_id};
    if (truth) {
      truth->write({header.stamp, frame->label, frame->name});
    }
    if (!options.compressed) {
      raw.publish(messages::image_message(header, frame->bgr));
    }
    if (options.compressed || compressed.subscription_count() > 0) {
      compressed.publish(messages::compressed_image_message(header, frame->bgr));
    }
    ++count;
  }
  std::fprintf(stderr, "mgproto play: %lld frames published\n", static_cast<long long>(count));
}

}  // namespace

void add_play(CLI::App & app)
{
  auto options = std::make_shared<PlayOptions>();
  CLI::App * verb = app.add_subcommand("play", "Publish images as a camera would");
  verb
    ->add_option(
      "source", options->source,
      "folder, image, video, camera (/dev/video0), or `birds`: drawn birds and strangers")
    ->required();
  verb->add_option("-t,--topic", options->topic, "to publish on")->capture_default_str();
  verb->add_option("--rate", options->rate, "frames a second; a video's own, else 15")
    ->check(CLI::Range(0.01, 1000.0))
    ->type_name("HZ");
  verb->add_flag("--loop", options->images.loop, "begin anew at the end");
  verb->add_flag("--shuffle", options->images.shuffle, "a folder's images in random order");
  verb->add_option("--seed", options->images.seed, "of birds and --shuffle")->capture_default_str();
  verb
    ->add_option(
      "--hold", options->images.hold,
      "frames for which each image is looked at, as by a camera held by hand")
    ->capture_default_str()
    ->check(CLI::Range(1, 10000));
  verb->add_option("--width", options->images.width, "pixels; 0 = as they are, birds 320");
  verb->add_option("--height", options->images.height, "pixels; 0 = as they are, birds 320");
  verb->add_option("--frame-id", options->frame_id, "of the messages")->capture_default_str();
  verb->add_flag("--compressed", options->compressed, "JPEG only, on TOPIC/compressed");
  verb->add_flag("--wait", options->wait, "begin when somebody listens");
  verb->add_option("--log", options->log, "a JSON line for each frame: stamp, label, name")
    ->type_name("FILE");
  options->node.add_to(*verb);
  verb->footer(
    "Examples:\n"
    "  mgproto play birds --rate 10\n"
    "  mgproto play photos/ --topic /camera/image_raw --rate 15 --loop\n"
    "  mgproto play photos/ --rate 5 --hold 10 --shuffle --loop     # two seconds each\n"
    "  mgproto play drive.mp4 --compressed\n"
    "  mgproto play /dev/video0");
  verb->callback([options] { run(*options); });
}

}  // namespace mgproto::cli
