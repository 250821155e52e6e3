// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// The verb `tell`: what a running node did not know gets a name.

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <iostream>
#include <map>
#include <memory>
#include <mgproto_ros/msg/album.hpp>
#include <mgproto_ros/msg/teach_answer.hpp>
#include <mgproto_ros/msg/teach_request.hpp>
#include <mutex>
#include <optional>

#include "cli/node_options.hpp"
#include "cli/stop_signal.hpp"
#include "cli/verbs.hpp"
#include "mgproto_ros/error.hpp"
#include "model/utf8.hpp"
#include "perception/topics.hpp"
#include "tools/truth_log.hpp"

namespace mgproto::cli
{
namespace
{

using mgproto_ros::msg::Album;
using mgproto_ros::msg::TeachAnswer;
using mgproto_ros::msg::TeachRequest;
using Clock = std::chrono::steady_clock;

/// For the node to be found, and for its answer.
constexpr std::chrono::seconds kNodePatience(5);
constexpr std::chrono::seconds kAnswerPatience(120);

struct TellOptions
{
  NodeCommandOptions node;
  std::string of = "/mgproto";
  std::string name;
  std::vector<std::uint32_t> ids;
  std::uint32_t group = 0;
  std::optional<std::string> camera;
  std::uint32_t images = 1;
  std::string truth;
  std::uint32_t at_least = 3;
  double wait = 0;
  std::string forget;
  bool undo = false;
};

/// The newest message of a topic.
template <class Message>
class Newest
{
public:
  Newest(dds::Node & node, const std::string & topic, const dds::Qos & qos)
  : subscription_(node.create_subscription<Message>(
      topic, qos, [this](const std::shared_ptr<const Message> & message) {
        const std::lock_guard lock(mutex_);
        newest_ = message;
      }))
  {
  }

  std::shared_ptr<const Message> get()
  {
    const std::lock_guard lock(mutex_);
    return newest_;
  }
  int publishers() const { return subscription_.publisher_count(); }

private:
  std::mutex mutex_;
  std::shared_ptr<const Message> newest_;
  dds::Subscription subscription_;
};

/// Whether it became true in time; false after Ctrl-C, too.
template <typename Condition>
bool eventually(const Condition & condition, Clock::duration patience)
{
  const Clock::time_point end = Clock::now() + patience;
  while (!condition()) {
    if (Clock::now() >= end || stopped_within(std::chrono::milliseconds(20))) {
      return condition();
    }
  }
  return true;
}

void print(const Album & album)
{
  std::map<std::uint32_t, std::vector<const mgproto_ros::msg::AlbumImage *>> groups;
  for (const auto & image : album.images) {
    groups[image.group].push_back(&image);
  }
  std::cout << album.images.size() << " images of " << groups.size()
            << (groups.size() == 1 ? " kind of thing" : " kinds of things") << " that "
            << album.model_id << " does not know\n";
  for (const auto & [group, images] : groups) {
    std::cout << "group " << group << ": images";
    for (const auto * image : images) {
      std::cout << ' ' << image->id;
    }
    std::cout << " (nearest class " << terminal_safe(images.back()->nearest_class) << ")\n";
  }
  for (const std::string & name : album.taught) {
    std::cout << "taught: " << terminal_safe(name) << '\n';
  }
  if (!album.problem.empty()) {
    std::cout << "nothing can be taught: " << album.problem << '\n';
  }
}

/// Images of the album that show what is called so in truth: the last part of a label is the class.
std::vector<std::uint32_t> shown_in_truth(
  const Album & album, const std::map<std::int64_t, std::string> & truths, const std::string & name)
{
  std::vector<std::uint32_t> ids;
  for (const auto & image : album.images) {
    const perception::Stamp stamp{image.header.stamp.sec, image.header.stamp.nanosec};
    const auto truth = truths.find(stamp.nanoseconds());
    if (truth != truths.end() && truth->second == name) {
      ids.push_back(image.id);
    }
  }
  return ids;
}

std::vector<std::uint32_t> wait_for_truth(Newest<Album> & album, const TellOptions & options)
{
  tools::TruthFollower follower(options.truth);
  std::map<std::int64_t, std::string> truths;
  std::vector<std::uint32_t> ids;
  const auto enough = [&] {
    for (const tools::Truth & truth : follower.poll()) {
      truths[truth.stamp.nanoseconds()] = truth.label.substr(truth.label.rfind('/') + 1);
    }
    ids = shown_in_truth(*album.get(), truths, options.name);
    return ids.size() >= options.at_least;
  };
  if (!eventually(
        enough,
        std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options.wait)))) {
    throw Error(
      "the album has " + std::to_string(ids.size()) + " images of '" + options.name +
      "', expected " + std::to_string(options.at_least) + " (--at-least, --wait)");
  }
  ids.resize(std::min<std::size_t>(ids.size(), 64));
  return ids;
}

std::vector<std::uint32_t> images_of(const Album & album, std::uint32_t group)
{
  std::vector<std::uint32_t> ids;
  for (const auto & image : album.images) {
    if (image.group == group) {
      ids.push_back(image.id);
    }
  }
  if (ids.empty()) {
    throw ConfigError("group", "the album has no group " + std::to_string(group));
  }
  return ids;
}

TeachRequest request_of(const TellOptions & options, Newest<Album> & album)
{
  TeachRequest request;
  request.request_id = "mgproto tell " + std::to_string(getpid());
  request.name = options.name;
  if (options.undo) {
    request.action = TeachRequest::UNDO;
  } else if (!options.forget.empty()) {
    request.action = TeachRequest::FORGET;
    request.name = options.forget;
  } else if (!options.truth.empty()) {
    request.album_ids = wait_for_truth(album, options);
  } else if (options.group > 0) {
    request.album_ids = images_of(*album.get(), options.group);
  } else if (!options.ids.empty()) {
    request.album_ids = options.ids;
  } else {
    request.camera = options.camera.value_or("");
    request.images = options.images;
  }
  return request;
}

void run(const TellOptions & options)
{
  stop_on_signal();
  dds::Node node = options.node.join("mgproto_tell");
  const auto topic_of = [&](const char * topic) { return options.of + (topic + 1); };  // without ~
  Newest<Album> album(node, topic_of(perception::topics::kAlbum), dds::latched_qos);
  Newest<TeachAnswer> answer(node, topic_of(perception::topics::kTaught), dds::Qos{});
  auto teacher =
    node.create_publisher<TeachRequest>(topic_of(perception::topics::kTeach), dds::Qos{});
  const auto is_there = [&] {
    return album.get() && answer.publishers() > 0 && teacher.subscription_count() > 0;
  };
  if (!eventually(is_there, kNodePatience)) {
    throw Error("no node " + options.of + " that can be taught was found (--node)");
  }

  const bool is_told = !options.name.empty() || !options.forget.empty() || options.undo;
  if (!is_told) {
    print(*album.get());
    return;
  }
  const TeachRequest request = request_of(options, album);
  teacher.publish(request);
  const auto is_answered = [&] {
    return answer.get() && answer.get()->request_id == request.request_id;
  };
  if (!eventually(is_answered, kAnswerPatience)) {
    throw Error(options.of + " did not answer");
  }
  if (!answer.get()->success) {
    throw Error(answer.get()->message);
  }
  std::cout << terminal_safe(answer.get()->message) << "; " << answer.get()->model_id << " knows "
            << answer.get()->classes << " classes" << std::endl;
}

}  // namespace

void add_tell(CLI::App & app)
{
  auto options = std::make_shared<TellOptions>();
  CLI::App * verb = app.add_subcommand(
    "tell", "Give a name to what a running node does not know; without options: what that is");
  CLI::Option * name =
    verb->add_option("-n,--name", options->name, "of the class to teach")->type_name("NAME");
  CLI::Option * ids =
    verb->add_option("--ids", options->ids, "images of the node's album, as 3,4,5")
      ->delimiter(',')
      ->needs(name);
  CLI::Option * group =
    verb->add_option("--group", options->group, "all images of a group of the album")
      ->needs(name)
      ->excludes(ids);
  CLI::Option * camera =
    verb
      ->add_option(
        "--camera", options->camera,
        "what this camera sees now, which is what is taught if nothing else is named")
      ->needs(name)
      ->excludes(ids)
      ->excludes(group);
  verb->add_option("--images", options->images, "how many images of the camera")
    ->capture_default_str()
    ->check(CLI::Range(1, 64));
  CLI::Option * truth =
    verb
      ->add_option(
        "--truth", options->truth,
        "images of the album that show NAME, as this file of `play --log` knows")
      ->type_name("FILE")
      ->needs(name)
      ->excludes(ids)
      ->excludes(group)
      ->excludes(camera);
  verb->add_option("--at-least", options->at_least, "so many of them")
    ->capture_default_str()
    ->check(CLI::Range(1, 64))
    ->needs(truth);
  verb->add_option("--wait", options->wait, "seconds to wait for them")
    ->check(CLI::NonNegativeNumber)
    ->needs(truth);
  CLI::Option * forget =
    verb->add_option("--forget", options->forget, "a class that was taught")->type_name("NAME");
  forget->excludes(name);
  verb->add_flag("--undo", options->undo, "take the last of these back")
    ->excludes(name)
    ->excludes(forget);
  verb->add_option("--node", options->of, "full name of the node")->capture_default_str();
  options->node.add_to(*verb);
  verb->footer(
    "Examples:\n"
    "  mgproto tell                                # groups of images that the node does not know\n"
    "  mgproto tell --name kettle --group 2\n"
    "  mgproto tell --name kettle --ids 3,4,7\n"
    "  mgproto tell --name kettle --camera front --images 5   # what is before the camera now\n"
    "  mgproto tell --forget kettle\n"
    "  mgproto tell --undo");
  verb->callback([options] { run(*options); });
}

}  // namespace mgproto::cli
