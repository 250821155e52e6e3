// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "dds/dashboard_feed.hpp"

#include <mgproto_ros/msg/album.hpp>
#include <mgproto_ros/msg/prediction.hpp>
#include <mgproto_ros/msg/prototype_gallery.hpp>
#include <mgproto_ros/msg/teach_answer.hpp>
#include <opencv2/imgcodecs.hpp>
#include <sensor_msgs/msg/compressed_image.hpp>
#include <sensor_msgs/msg/image.hpp>

#include "messages/diagnostics_messages.hpp"
#include "messages/image_input.hpp"
#include "messages/trust_messages.hpp"
#include "messages/verdict.hpp"
#include "mgproto_ros/error.hpp"
#include "perception/decode.hpp"
#include "perception/topics.hpp"

namespace mgproto::dds
{
namespace
{

namespace topics = perception::topics;
using mgproto_ros::msg::PrototypeGallery;
using sensor_msgs::msg::CompressedImage;
using sensor_msgs::msg::Image;

constexpr std::chrono::milliseconds kLookEvery(500);
constexpr Qos kNewest{false, false, 1};

/// "/robot/front" of "/robot/front/output/prediction"; of another name all.
std::string before_suffix(const std::string & topic, const std::string & suffix)
{
  const bool ends = topic.size() > suffix.size() &&
                    topic.compare(topic.size() - suffix.size(), suffix.size(), suffix) == 0;
  return ends ? topic.substr(0, topic.size() - suffix.size()) : topic;
}

Box box(const sensor_msgs::msg::RegionOfInterest & roi)
{
  return {
    static_cast<int>(roi.x_offset), static_cast<int>(roi.y_offset), static_cast<int>(roi.width),
    static_cast<int>(roi.height)};
}

dashboard::Prediction shown(
  const std::string & camera, const mgproto_ros::msg::Prediction & message)
{
  dashboard::Prediction prediction;
  prediction.camera = camera;
  prediction.stamp = {message.header.stamp.sec, message.header.stamp.nanosec};
  prediction.frame_id = message.header.frame_id;
  prediction.status = messages::read_status(message.status);
  prediction.reason = message.reason;
  prediction.class_id = message.class_id;
  prediction.class_name = message.class_name;
  prediction.posterior = message.posterior;
  prediction.log_likelihood = message.log_likelihood;
  prediction.log_density = message.log_density;
  prediction.score = message.score;
  prediction.threshold = message.threshold;
  prediction.typicality = message.typicality;
  prediction.questions = {
    {"density", message.p_density},
    {"parts", message.p_parts},
    {"place", message.p_place},
    {"distance", message.p_distance}};
  prediction.missing.assign(message.missing.begin(), message.missing.end());
  prediction.region = box(message.region);
  prediction.detection_id = message.detection_id;
  prediction.model_id = message.model_id;
  for (const auto & score : message.scores) {
    prediction.scores.push_back(
      {score.class_id, score.class_name, score.posterior, score.log_likelihood});
  }
  for (const auto & part : message.evidence) {
    prediction.evidence.push_back(
      {part.prototype, part.class_id, part.prior, part.likelihood, part.log_likelihood,
       part.contribution, part.x, part.y, box(part.box)});
  }
  return prediction;
}

std::vector<dashboard::PrototypePatch> shown(const PrototypeGallery & message)
{
  std::vector<dashboard::PrototypePatch> patches;
  for (const auto & entry : message.prototypes) {
    patches.push_back(
      {entry.prototype, entry.class_id, entry.class_name, entry.prior, entry.jpeg, entry.source});
  }
  return patches;
}

/// What is not about recognition is left to the robot's own monitors.
std::vector<dashboard::Health> shown(const diagnostic_msgs::msg::DiagnosticArray & message)
{
  std::vector<dashboard::Health> health;
  for (const auto & status : message.status) {
    if (status.hardware_id.rfind(messages::kHardwareId, 0) != 0) {
      continue;
    }
    dashboard::Health line{static_cast<int>(status.level), status.name, status.message, {}};
    for (const auto & pair : status.values) {
      line.values.emplace_back(pair.key, pair.value);
    }
    health.push_back(std::move(line));
  }
  return health;
}

dashboard::Album shown(const std::string & node, const mgproto_ros::msg::Album & message)
{
  dashboard::Album album;
  album.node = node;
  for (const auto & image : message.images) {
    album.images.push_back(
      {image.id, image.group, image.camera, image.nearest_class, image.reason, image.jpeg});
  }
  album.problem = message.problem;
  album.taught = message.taught;
  album.can_undo = message.can_undo;
  return album;
}

dashboard::Stamp stamp(const std_msgs::msg::Header & header)
{
  return {header.stamp.sec, header.stamp.nanosec};
}

std::vector<std::uint8_t> jpeg_of(std::shared_ptr<const Image> message)
{
  const auto view = messages::view(message, {});
  cv::Mat buffer;
  const ImageView image = perception::decode(view, buffer);
  const cv::Mat pixels(
    image.height, image.width, CV_8UC(channels(image.format)),
    const_cast<std::uint8_t *>(image.data), image.step);
  std::vector<std::uint8_t> jpeg;
  cv::imencode(".jpg", pixels, jpeg);
  return jpeg;
}

}  // namespace

DashboardFeed::DashboardFeed(Node & node, dashboard::Server & server, Log log)
: node_(node),
  server_(server),
  log_(std::move(log)),
  diagnostics_(node.create_subscription<diagnostic_msgs::msg::DiagnosticArray>(
    topics::kDiagnostics, Qos{},
    [this](std::shared_ptr<const diagnostic_msgs::msg::DiagnosticArray> message) {
      server_.show_health(shown(*message));
      show_trust(*message);
    })),
  looking_([this] { look_regularly(); })
{
  server_.set_teacher([this](const dashboard::TeachRequest & request) { pass_on(request); });
}

DashboardFeed::~DashboardFeed()
{
  server_.set_teacher({});
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  stopping_.notify_all();
  looking_.join();
}

void DashboardFeed::look_regularly()
{
  std::unique_lock lock(mutex_);
  while (!stop_) {
    lock.unlock();
    attempt("the domain's topics", [this] { look(); });
    lock.lock();
    stopping_.wait_for(lock, kLookEvery, [this] { return stop_; });
  }
}

/// Anybody may give a topic any type, also one that this node already uses with another: that topic is
/// not shown, and all others are.
void DashboardFeed::attempt(const std::string & what, const std::function<void()> & work)
{
  try {
    work();
  } catch (const std::exception & error) {
    if (failed_.insert(what).second) {
      log_(perception::LogLevel::warn, "not shown: " + what + ": " + error.what());
    }
  }
}

void DashboardFeed::look()
{
  std::map<std::string, std::string> type_of;
  for (const TopicInfo & topic : node_.topics()) {
    if (topic.publishers > 0) {
      type_of[topic.name] = topic.type;
    }
  }
  for (const auto & found : type_of) {
    attempt(found.first, [&] { show_topic(found.first, found.second); });
  }
  for (auto & found : cameras_) {
    attempt(found.second.overlay_topic, [&] { show_overlay(found.second, type_of); });
  }
}

void DashboardFeed::show_topic(const std::string & topic, const std::string & type)
{
  if (type == message_type<mgproto_ros::msg::Prediction>().name() && !cameras_.count(topic)) {
    show_camera(topic);
  } else if (type == message_type<PrototypeGallery>().name() && !galleries_.count(topic)) {
    galleries_.emplace(
      topic, node_.create_subscription<PrototypeGallery>(
               topic, latched_qos, [this](std::shared_ptr<const PrototypeGallery> message) {
                 server_.show_gallery(message->model_id, shown(*message));
               }));
  } else if (type == message_type<mgproto_ros::msg::Album>().name()) {
    show_album(topic);
  }
}

void DashboardFeed::show_overlay(
  Camera & camera, const std::map<std::string, std::string> & type_of)
{
  if (camera.overlay) {
    return;
  }
  const std::string & name = camera.name;
  if (type_of.count(camera.overlay_topic + topics::kCompressed)) {
    camera.overlay = node_.create_subscription<CompressedImage>(
      camera.overlay_topic + topics::kCompressed, kNewest,
      [this, name](std::shared_ptr<const CompressedImage> message) {
        server_.show_overlay(name, stamp(message->header), message->data);
      });
  } else if (type_of.count(camera.overlay_topic)) {
    camera.overlay = node_.create_subscription<Image>(
      camera.overlay_topic, kNewest, [this, name](std::shared_ptr<const Image> message) {
        server_.show_overlay(name, stamp(message->header), jpeg_of(message));
      });
  }
}

/// By what they say of themselves, whatever their topics are called.
void DashboardFeed::show_trust(const diagnostic_msgs::msg::DiagnosticArray & message)
{
  for (const auto & status : message.status) {
    if (const auto reported = messages::read_trust(status)) {
      const perception::Trust & trust = reported->trust;
      server_.show_trust(
        {reported->gate, trust.trusted, trust.speed_limit, trust.reason, reported->period});
    }
  }
}

void DashboardFeed::show_camera(const std::string & topic)
{
  const std::string base = before_suffix(topic, std::string("/") + topics::kPrediction);
  const std::string name = base.substr(1);
  cameras_.emplace(
    topic, Camera{
             name, base + "/" + topics::kOverlay,
             node_.create_subscription<mgproto_ros::msg::Prediction>(
               topic, Qos{},
               [this, name](std::shared_ptr<const mgproto_ros::msg::Prediction> message) {
                 server_.show(shown(name, *message));
               }),
             std::nullopt});
}

void DashboardFeed::show_album(const std::string & topic)
{
  const auto below = [](const char * name) { return std::string(name + 1); };  // without ~
  const std::string node = before_suffix(topic, below(topics::kAlbum));
  const std::lock_guard lock(pupils_mutex_);
  if (node == topic || pupils_.count(node) > 0) {
    return;
  }
  pupils_.emplace(
    node,
    Pupil{
      node_.create_subscription<mgproto_ros::msg::Album>(
        topic, latched_qos,
        [this, node](const std::shared_ptr<const mgproto_ros::msg::Album> & message) {
          server_.show_album(shown(node, *message));
        }),
      node_.create_subscription<mgproto_ros::msg::TeachAnswer>(
        node + below(topics::kTaught), Qos{},
        [this, node](const std::shared_ptr<const mgproto_ros::msg::TeachAnswer> & message) {
          server_.show_answer({node, message->request_id, message->success, message->message});
        }),
      node_.create_publisher<mgproto_ros::msg::TeachRequest>(node + below(topics::kTeach), Qos{})});
}

void DashboardFeed::pass_on(const dashboard::TeachRequest & request)
{
  using Message = mgproto_ros::msg::TeachRequest;
  Message message;
  message.request_id = request.id;
  switch (request.action) {
    case dashboard::TeachRequest::Action::teach:
      message.action = Message::TEACH;
      break;
    case dashboard::TeachRequest::Action::forget:
      message.action = Message::FORGET;
      break;
    case dashboard::TeachRequest::Action::undo:
      message.action = Message::UNDO;
      break;
  }
  message.name = request.name;
  message.album_ids.assign(request.images.begin(), request.images.end());
  message.camera = request.camera;
  const std::lock_guard lock(pupils_mutex_);
  const auto pupil = pupils_.find(request.node);
  if (pupil == pupils_.end()) {
    throw Error("no node " + request.node + " is heard of that can be taught");
  }
  pupil->second.requests.publish(message);
}

}  // namespace mgproto::dds
