// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "ros2/perception_node.hpp"

#include <chrono>
#include <exception>
#include <rclcpp_components/register_node_macro.hpp>
#include <utility>

#include "messages/detections_input.hpp"
#include "messages/header.hpp"
#include "messages/teach_messages.hpp"
#include "perception/topics.hpp"
#include "ros2/callbacks.hpp"
#include "ros2/distribution.hpp"
#include "ros2/image_topic.hpp"
#include "ros2/node_parameters.hpp"
#include "ros2/readable_image.hpp"

namespace mgproto_ros
{

namespace messages = mgproto::messages;
namespace perception = mgproto::perception;
namespace topics = mgproto::perception::topics;

namespace
{

constexpr std::chrono::milliseconds kAlbumPeriod{500};

}  // namespace

PerceptionNode::PerceptionNode(const rclcpp::NodeOptions & options)
: Node("mgproto", options),
  initial_settings_(declare_settings(*this)),
  rules_{initial_settings_.allow_depth},
  outputs_(*this, initial_settings_),
  perception_(initial_settings_, outputs_)
{
  const std::vector<std::string> & cameras = perception_.cameras();
  for (int camera = 0; camera < static_cast<int>(cameras.size()); ++camera) {
    listen(camera, cameras[camera]);
  }
  load_model_ = create_slow_service<LoadModel>("~/load_model", &PerceptionNode::load_model);
  set_enabled_ = create_slow_service<SetBool>("~/set_enabled", &PerceptionNode::set_enabled);
  teach_ = create_slow_service<Teach>("~/teach", &PerceptionNode::teach);
  forget_ = create_slow_service<Forget>("~/forget", &PerceptionNode::forget);
  undo_ = create_slow_service<Trigger>("~/undo", &PerceptionNode::undo);
  requests_ = create_subscription<TeachRequest>(
    topics::kTeach, rclcpp::QoS(10).reliable(),
    [this](const TeachRequest::ConstSharedPtr & request) { take_request(request); });
  diagnose_every(initial_settings_.diagnostics_period);
  album_timer_ = create_wall_timer(kAlbumPeriod, [this] { publish_album(); });
  applying_parameters_ = distribution::after_setting_parameters(
    *this, [this](const std::vector<rclcpp::Parameter> & parameters) { apply(parameters); });
  checking_parameters_ = add_on_set_parameters_callback(
    [this](const std::vector<rclcpp::Parameter> & parameters) { return check(parameters); });
  warn_of_unknown_parameters(*this);

  const auto model = perception_.model();
  RCLCPP_INFO(
    get_logger(), "ready: %s with %zu classes on %s", model->id.c_str(),
    model->manifest.classes.size(), model->device.c_str());
}

PerceptionNode::~PerceptionNode() { end_callbacks(*this); }

void PerceptionNode::listen(int camera, const std::string & name)
{
  const rclcpp::QoS newest = rclcpp::QoS(1).best_effort();
  rclcpp::SubscriptionOptions options;
  options.qos_overriding_options = rclcpp::QosOverridingOptions::with_default_policies();

  images_.push_back(distribution::subscribe_to_images(
    *this, image_topic(*this, perception::camera_topic(name, topics::kImage)),
    [this, camera](const sensor_msgs::msg::Image::ConstSharedPtr & image) {
      take_image(camera, image);
    },
    initial_settings_.image_transport, newest, options));
  RCLCPP_INFO(get_logger(), "listening to %s", images_.back().getTopic().c_str());

  if (initial_settings_.use_detections) {
    detections_.push_back(create_subscription<Detections>(
      perception::camera_topic(name, topics::kDetectionsIn), newest,
      [this, camera](const Detections::ConstSharedPtr & detections) {
        messages::add_detections(perception_, camera, *detections);
      },
      options));
    RCLCPP_INFO(get_logger(), "listening to %s", detections_.back()->get_topic_name());
  }
}

void PerceptionNode::take_image(int camera, const sensor_msgs::msg::Image::ConstSharedPtr & image)
{
  const auto received = perception::Clock::now();
  try {
    perception_.add_frame(
      {camera, messages::read_header(image->header), readable_image(image, rules_), received, {}});
  } catch (const messages::InvalidMessage & error) {
    perception_.reject(camera, error.kind(), error.what());
  }
}

template <class Service>
typename rclcpp::Service<Service>::SharedPtr PerceptionNode::create_slow_service(
  const std::string & name,
  void (PerceptionNode::*answer)(const typename Service::Request &, typename Service::Response &))
{
  return create_service<Service>(
    name, [this, answer](
            std::shared_ptr<rclcpp::Service<Service>> service, std::shared_ptr<rmw_request_id_t> id,
            std::shared_ptr<typename Service::Request> request) {
      const bool accepted = commands_.run([this, answer, service, id, request] {
        typename Service::Response response;
        try {
          (this->*answer)(*request, response);
          service->send_response(*id, response);
        } catch (const std::exception & error) {
          RCLCPP_ERROR(get_logger(), "%s: %s", service->get_service_name(), error.what());
        }
      });
      if (!accepted) {
        RCLCPP_WARN(
          get_logger(), "%s: too many calls at once, one is ignored", service->get_service_name());
      }
    });
}

void PerceptionNode::load_model(const LoadModel::Request & request, LoadModel::Response & response)
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

void PerceptionNode::set_enabled(const SetBool::Request & request, SetBool::Response & response)
{
  try {
    perception_.set_enabled(request.data);
    response.success = true;
  } catch (const std::exception & error) {
    response.message = error.what();
  }
}

void PerceptionNode::teach(const Teach::Request & request, Teach::Response & response)
{
  const perception::TeachAnswer answer = perception_.teach(messages::read_teach_request(request));
  response.success = answer.success;
  response.message = answer.message;
  response.model_id = answer.model_id;
}

void PerceptionNode::forget(const Forget::Request & request, Forget::Response & response)
{
  const perception::TeachAnswer answer = perception_.forget(request.name);
  response.success = answer.success;
  response.message = answer.message;
  response.model_id = answer.model_id;
}

void PerceptionNode::undo(const Trigger::Request &, Trigger::Response & response)
{
  const perception::TeachAnswer answer = perception_.undo();
  response.success = answer.success;
  response.message = answer.message;
}

void PerceptionNode::take_request(const TeachRequest::ConstSharedPtr & request)
{
  const bool accepted = commands_.run([this, request] {
    try {
      outputs_.publish_answer(messages::teach(perception_, *request));
    } catch (const std::exception & error) {
      RCLCPP_ERROR(get_logger(), "%s: %s", requests_->get_topic_name(), error.what());
    }
  });
  if (!accepted) {
    RCLCPP_WARN(get_logger(), "too many requests to teach at once: one is ignored");
  }
}

void PerceptionNode::publish_album()
{
  if (album_version_ != perception_.album_version()) {
    const perception::AlbumState album = perception_.album();
    album_version_ = album.version;
    const auto model = perception_.model();
    outputs_.publish_album(album, model ? model->id : "");
  }
}

void PerceptionNode::diagnose_every(double period)
{
  diagnostics_timer_ = create_wall_timer(std::chrono::duration<double>(period), [this] {
    outputs_.publish_diagnostics(perception_.diagnosis());
  });
}

rcl_interfaces::msg::SetParametersResult PerceptionNode::check(
  const std::vector<rclcpp::Parameter> & parameters) const
{
  rcl_interfaces::msg::SetParametersResult result;
  try {
    with_parameters(*perception_.settings(), parameters);
    result.successful = true;
  } catch (const mgproto::ConfigError & error) {
    result.successful = false;
    result.reason = error.what();
  }
  return result;
}

void PerceptionNode::apply(const std::vector<rclcpp::Parameter> & parameters)
{
  const auto old = perception_.settings();
  const perception::Settings settings = with_parameters(*old, parameters);
  perception_.set_settings(settings);
  if (settings.diagnostics_period != old->diagnostics_period) {
    diagnose_every(settings.diagnostics_period);
  }
}

}  // namespace mgproto_ros

RCLCPP_COMPONENTS_REGISTER_NODE(mgproto_ros::PerceptionNode)
