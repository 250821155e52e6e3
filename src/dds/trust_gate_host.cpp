// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "dds/trust_gate_host.hpp"

#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "messages/trust_messages.hpp"
#include "perception/topics.hpp"
#include "perception/trust_log.hpp"

namespace mgproto::dds
{
namespace
{

namespace topics = perception::topics;

/// All regions of an image, which are told at once.
constexpr Qos kFlags{true, false, 100};

/// What is published, for whoever comes later, too.
struct TrustOutputs
{
  explicit TrustOutputs(Node & node)
  : trusted(node.create_publisher<std_msgs::msg::Bool>(topics::kTrusted, latched_qos)),
#ifdef MGPROTO_NAV2_MSGS
    speed_limit(
      node.create_publisher<nav2_msgs::msg::SpeedLimit>(topics::kSpeedLimit, latched_qos)),
#endif
    diagnostics(
      node.create_publisher<diagnostic_msgs::msg::DiagnosticArray>(topics::kDiagnostics, Qos{}))
  {
  }

  TypedPublisher<std_msgs::msg::Bool> trusted;
#ifdef MGPROTO_NAV2_MSGS
  TypedPublisher<nav2_msgs::msg::SpeedLimit> speed_limit;
#endif
  TypedPublisher<diagnostic_msgs::msg::DiagnosticArray> diagnostics;
};

std::vector<std::string> resolved(const Node & node, std::vector<std::string> names)
{
  for (std::string & name : names) {
    name = node.resolve(name);
  }
  return names;
}

perception::Moment now() { return {perception::Clock::now(), perception::current_stamp()}; }

}  // namespace

class TrustGateHost::Implementation
{
public:
  Implementation(Node & node, const perception::GateSettings & settings, Log log)
  : log_(std::move(log)),
    name_(node.name().full()),
    outputs_(node),
    gate_(resolved(node, settings.flags), settings)
  {
#ifndef MGPROTO_NAV2_MSGS
    log_(perception::LogLevel::info, "built without nav2_msgs: there is no ~/output/speed_limit");
#endif
    for (std::size_t source = 0; source < settings.flags.size(); ++source) {
      subscriptions_.push_back(node.create_subscription<mgproto_ros::msg::OodFlag>(
        settings.flags[source], kFlags,
        [this, source](const std::shared_ptr<const mgproto_ros::msg::OodFlag> & message) {
          const std::lock_guard lock(mutex_);
          gate_.add(source, messages::read_flag(*message), now());
          tell();
        }));
      log_(perception::LogLevel::info, "listening to " + subscriptions_.back().topic());
    }
    asking_ = std::thread([this] { ask_regularly(); });
  }

  ~Implementation()
  {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    stopping_.notify_all();
    asking_.join();
  }

private:
  void ask_regularly()
  {
    std::unique_lock lock(mutex_);
    while (!stop_) {
      tell();
      stopping_.wait_for(lock, perception::TrustGate::kAskEvery, [this] { return stop_; });
    }
  }

  /// With the mutex.
  void tell()
  {
    const perception::Moment moment = now();
    const auto trust = gate_.news(moment);
    if (!trust) {
      return;
    }
    messages::publish_trust(
      *trust, gate_.diagnosis(moment), name_, moment.clock, outputs_,
      [](auto & publisher, const auto & message) { publisher.publish(message); });
    if (const auto line = trust_log_.line(*trust, moment.steady)) {
      log_(line->level, line->text);
    }
  }

  // What comes later uses what comes earlier, and ends before it.
  const Log log_;
  const std::string name_;
  TrustOutputs outputs_;
  std::mutex mutex_;
  perception::TrustGate gate_;
  perception::TrustLog trust_log_;
  std::vector<Subscription> subscriptions_;
  std::condition_variable stopping_;
  bool stop_ = false;
  std::thread asking_;
};

TrustGateHost::TrustGateHost(Node & node, const perception::GateSettings & settings, Log log)
: implementation_(std::make_unique<Implementation>(node, settings, std::move(log)))
{
}

TrustGateHost::~TrustGateHost() = default;

}  // namespace mgproto::dds
