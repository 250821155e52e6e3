// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "ros2/perception_server.hpp"

#include <chrono>
#include <exception>
#include <utility>

#include "messages/depth_input.hpp"
#include "messages/detections_input.hpp"
#include "messages/header.hpp"
#include "messages/teach_messages.hpp"
#include "mgproto_ros/error.hpp"
#include "perception/topics.hpp"
#include "ros2/distribution.hpp"
#include "ros2/image_topic.hpp"
#include "ros2/node_parameters.hpp"
#include "ros2/readable_image.hpp"
#include "ros2/signals_elsewhere.hpp"

namespace mgproto_ros
{

namespace messages = mgproto::messages;
namespace perception = mgproto::perception;
namespace topics = mgproto::perception::topics;

namespace
{

constexpr double kAlbumPeriod = 0.5;

}  // namespace

template <class... Arguments, class Work>
std::function<void(Arguments...)> PerceptionServer::while_here(Work work) const
{
  return [here = std::weak_ptr<const bool>(here_), work](Arguments... arguments) {
    if (!here.expired()) {
      work(std::move(arguments)...);
    }
  };
}

PerceptionServer::PerceptionServer(
  const NodeHandle & node, rclcpp::Node * plain, const perception::Settings & settings, bool active)
: PerceptionServer(SignalsElsewhere(), node, plain, settings, active)
{
}

PerceptionServer::PerceptionServer(
  const SignalsElsewhere &, const NodeHandle & node, rclcpp::Node * plain,
  const perception::Settings & settings, bool active)
: node_(node),
  initial_settings_(settings),
  rules_{settings.allow_depth},
  outputs_(node_, settings),
  perception_(settings, outputs_)
{
  if (!node_.get_node_base_interface()->get_context()->is_valid()) {
    throw mgproto::Error("interrupted while the model was loaded");
  }
  perception_.set_active(active);
  const std::vector<std::string> & cameras = perception_.cameras();
  for (int camera = 0; camera < static_cast<int>(cameras.size()); ++camera) {
    listen(camera, cameras[camera], plain);
  }
  load_model_ = create_slow_service<LoadModel>("~/load_model", &PerceptionServer::load_model);
  set_enabled_ = create_slow_service<SetBool>("~/set_enabled", &PerceptionServer::set_enabled);
  teach_ = create_slow_service<Teach>("~/teach", &PerceptionServer::teach);
  forget_ = create_slow_service<Forget>("~/forget", &PerceptionServer::forget);
  undo_ = create_slow_service<Trigger>("~/undo", &PerceptionServer::undo);
  subscriptions_.push_back(rclcpp::create_subscription<TeachRequest>(
    node_, topics::kTeach, rclcpp::QoS(10).reliable(),
    while_here<TeachRequest::ConstSharedPtr>(
      [this](const TeachRequest::ConstSharedPtr & request) { take_request(request); })));
  diagnose_every(settings.diagnostics_period);
  album_timer_ = create_timer(kAlbumPeriod, [this] { publish_album(); });

  const auto model = perception_.model();
  RCLCPP_INFO(
    node_.logger(), "ready: %s with %zu classes on %s", model->id.c_str(),
    model->manifest.classes.size(), model->device.c_str());
}

PerceptionServer::~PerceptionServer() = default;

void PerceptionServer::set_active(bool active) { perception_.set_active(active); }

void PerceptionServer::listen(int camera, const std::string & name, rclcpp::Node * plain)
{
  const rclcpp::QoS newest = rclcpp::QoS(1).best_effort();
  rclcpp::SubscriptionOptions options;
  options.qos_overriding_options = rclcpp::QosOverridingOptions::with_default_policies();

  const std::string image = perception::camera_topic(name, topics::kImage);
  if (initial_settings_.image_transport == "raw") {
    subscribe_to_images<Image>(camera, image, newest, options);
  } else if (initial_settings_.image_transport == "compressed") {
    // The base topic is what users remap; the checked decoder of our own reads what comes.
    subscribe_to_images<CompressedImage>(
      camera, node_.resolved(image) + topics::kCompressed, newest, options);
  } else {
    subscribe_by_plugin(camera, image, newest, options, plain);
  }
  if (initial_settings_.use_detections) {
    subscriptions_.push_back(rclcpp::create_subscription<Detections>(
      node_, perception::camera_topic(name, topics::kDetectionsIn), newest,
      while_here<Detections::ConstSharedPtr>(
        [this, camera](const Detections::ConstSharedPtr & detections) {
          messages::add_detections(perception_, camera, *detections);
        }),
      options));
    RCLCPP_INFO(node_.logger(), "listening to %s", subscriptions_.back()->get_topic_name());
  }
  if (initial_settings_.use_depth) {
    listen_to_depth(camera, name, options);
  }
}

void PerceptionServer::listen_to_depth(
  int camera, const std::string & name, const rclcpp::SubscriptionOptions & options)
{
  subscriptions_.push_back(rclcpp::create_subscription<Image>(
    node_, perception::camera_topic(name, topics::kDepth), rclcpp::QoS(5).best_effort(),
    while_here<Image::ConstSharedPtr>([this, camera](const Image::ConstSharedPtr & depth) {
      messages::add_depth(perception_, camera, depth);
    }),
    options));
  RCLCPP_INFO(node_.logger(), "listening to %s", subscriptions_.back()->get_topic_name());
  subscriptions_.push_back(rclcpp::create_subscription<CameraInfo>(
    node_, perception::camera_topic(name, topics::kCameraInfo), rclcpp::QoS(1).best_effort(),
    while_here<CameraInfo::ConstSharedPtr>([this, camera](const CameraInfo::ConstSharedPtr & info) {
      perception_.set_intrinsics(camera, messages::read_intrinsics(*info));
    }),
    options));
  RCLCPP_INFO(node_.logger(), "listening to %s", subscriptions_.back()->get_topic_name());
}

template <class Message>
void PerceptionServer::subscribe_to_images(
  int camera, const std::string & topic, const rclcpp::QoS & qos,
  const rclcpp::SubscriptionOptions & options)
{
  subscriptions_.push_back(rclcpp::create_subscription<Message>(
    node_, topic, qos,
    while_here<std::shared_ptr<const Message>>(
      [this, camera](const std::shared_ptr<const Message> & image) { take_image(camera, image); }),
    options));
  RCLCPP_INFO(node_.logger(), "listening to %s", subscriptions_.back()->get_topic_name());
}

void PerceptionServer::subscribe_by_plugin(
  int camera, const std::string & topic, const rclcpp::QoS & qos,
  const rclcpp::SubscriptionOptions & options, rclcpp::Node * plain)
{
  if (plain == nullptr) {
    throw mgproto::ConfigError(
      "image_transport", "'" + initial_settings_.image_transport +
                           "' is not known to a managed node: raw or compressed");
  }
  images_by_plugin_.push_back(distribution::subscribe_to_images(
    *plain, image_topic(*plain, topic),
    [this, camera](const Image::ConstSharedPtr & image) { take_image(camera, image); },
    initial_settings_.image_transport, qos, options));
  RCLCPP_INFO(node_.logger(), "listening to %s", images_by_plugin_.back().getTopic().c_str());
}

template <class Message>
void PerceptionServer::take_image(int camera, const std::shared_ptr<const Message> & image)
{
  const auto received = perception::Clock::now();
  try {
    perception_.add_frame(
      {camera, messages::read_header(image->header), readable(image), received, {}});
  } catch (const messages::InvalidMessage & error) {
    perception_.reject(camera, error.kind(), error.what());
  }
}

perception::CameraImage PerceptionServer::readable(const Image::ConstSharedPtr & image) const
{
  return readable_image(image, rules_);
}

perception::CameraImage PerceptionServer::readable(
  const CompressedImage::ConstSharedPtr & image) const
{
  return messages::view(image, rules_);
}

template <class Service>
typename rclcpp::Service<Service>::SharedPtr PerceptionServer::create_slow_service(
  const std::string & name,
  void (PerceptionServer::*answer)(const typename Service::Request &, typename Service::Response &))
{
  return distribution::create_service<Service>(
    node_, name,
    [this, answer, here = std::weak_ptr<const bool>(here_)](
      std::shared_ptr<rclcpp::Service<Service>> service, std::shared_ptr<rmw_request_id_t> id,
      std::shared_ptr<typename Service::Request> request) {
      if (here.expired()) {
        return;
      }
      const bool accepted = commands_.run([this, answer, service, id, request] {
        typename Service::Response response;
        try {
          (this->*answer)(*request, response);
          service->send_response(*id, response);
        } catch (const std::exception & error) {
          RCLCPP_ERROR(node_.logger(), "%s: %s", service->get_service_name(), error.what());
        }
      });
      if (!accepted) {
        RCLCPP_WARN(
          node_.logger(), "%s: too many calls at once, one is ignored",
          service->get_service_name());
      }
    });
}

void PerceptionServer::load_model(
  const LoadModel::Request & request, LoadModel::Response & response)
{
  try {
    perception_.load_model(request.path);
    response.success = true;
  } catch (const std::exception & error) {
    response.message = error.what();
  }
  const auto model = perception_.model();
  response.model_id = model ? model->id : "";
}

void PerceptionServer::set_enabled(const SetBool::Request & request, SetBool::Response & response)
{
  try {
    perception_.set_enabled(request.data);
    response.success = true;
  } catch (const std::exception & error) {
    response.message = error.what();
  }
}

void PerceptionServer::teach(const Teach::Request & request, Teach::Response & response)
{
  const perception::TeachAnswer answer = perception_.teach(messages::read_teach_request(request));
  response.success = answer.success;
  response.message = answer.message;
  response.model_id = answer.model_id;
}

void PerceptionServer::forget(const Forget::Request & request, Forget::Response & response)
{
  const perception::TeachAnswer answer = perception_.forget(request.name);
  response.success = answer.success;
  response.message = answer.message;
  response.model_id = answer.model_id;
}

void PerceptionServer::undo(const Trigger::Request &, Trigger::Response & response)
{
  const perception::TeachAnswer answer = perception_.undo();
  response.success = answer.success;
  response.message = answer.message;
}

void PerceptionServer::take_request(const TeachRequest::ConstSharedPtr & request)
{
  const bool accepted = commands_.run([this, request] {
    try {
      outputs_.publish_answer(messages::teach(perception_, *request));
    } catch (const std::exception & error) {
      RCLCPP_ERROR(node_.logger(), "%s: %s", topics::kTeach, error.what());
    }
  });
  if (!accepted) {
    RCLCPP_WARN(node_.logger(), "too many requests to teach at once: one is ignored");
  }
}

void PerceptionServer::publish_album()
{
  if (album_version_ != perception_.album_version()) {
    const perception::AlbumState album = perception_.album();
    album_version_ = album.version;
    const auto model = perception_.model();
    outputs_.publish_album(album, model ? model->id : "");
  }
}

rclcpp::TimerBase::SharedPtr PerceptionServer::create_timer(
  double period, const std::function<void()> & callback)
{
  return rclcpp::create_wall_timer(
    std::chrono::duration<double>(period), while_here<>(callback), nullptr,
    node_.get_node_base_interface().get(), node_.get_node_timers_interface().get());
}

void PerceptionServer::diagnose_every(double period)
{
  diagnostics_timer_ =
    create_timer(period, [this] { outputs_.publish_diagnostics(perception_.diagnosis()); });
}

void PerceptionServer::check(const std::vector<rclcpp::Parameter> & parameters) const
{
  with_parameters(*perception_.settings(), parameters, true);
}

void PerceptionServer::apply(const std::vector<rclcpp::Parameter> & parameters)
{
  const auto old = perception_.settings();
  const perception::Settings settings = with_parameters(*old, parameters, true);
  perception_.set_settings(settings);
  if (settings.diagnostics_period != old->diagnostics_period) {
    diagnose_every(settings.diagnostics_period);
  }
}

}  // namespace mgproto_ros
