// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DDS__CONVERSATION_HPP_
#define DDS__CONVERSATION_HPP_

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <sensor_msgs/msg/image.hpp>
#include <std_msgs/msg/string.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "dds/node.hpp"

/// What tests need in which nodes really talk.
namespace mgproto::dds::test
{

inline constexpr Qos reliable{true, false, 10};
inline constexpr Qos best_effort{false, false, 10};

/// A node in a domain of this process's own and its children's, that no other machine can hear.
inline NodeOptions named(const std::string & name)
{
  static const bool once = [] {
    setenv("ROS_DOMAIN_ID", std::to_string(100 + getpid() % 100).c_str(), 1);
    setenv("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST", 1);
    return unsetenv("ROS_LOCALHOST_ONLY") == 0;
  }();
  static_cast<void>(once);
  NodeOptions options;
  options.name = name;
  return options;
}

template <class Condition>
bool eventually(Condition condition, std::chrono::milliseconds timeout = std::chrono::seconds(30))
{
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) {
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

/// Whether each side learns of the other. One alone is not enough: a message that comes to a
/// subscription before it knows the publisher is lost.
template <class Publisher>
bool connected(const Publisher & publisher, const Subscription & subscription)
{
  return eventually(
    [&] { return publisher.subscription_count() > 0 && subscription.publisher_count() > 0; });
}

/// What a subscription got, to be looked at from the test's thread.
template <class Message>
class Inbox
{
public:
  auto callback()
  {
    return [this](std::shared_ptr<const Message> message) {
      const std::lock_guard<std::mutex> lock(mutex_);
      messages_.push_back(std::move(message));
    };
  }

  std::vector<std::shared_ptr<const Message>> messages() const
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    return messages_;
  }

  bool has(size_t count) const { return messages().size() >= count; }

private:
  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<const Message>> messages_;
};

inline std_msgs::msg::String text(const std::string & words)
{
  std_msgs::msg::String message;
  message.data = words;
  return message;
}

/// No two rows alike. The peers show the same one.
inline sensor_msgs::msg::Image camera_image(uint32_t width = 640, uint32_t height = 480)
{
  sensor_msgs::msg::Image message;
  message.header.stamp.sec = 12;
  message.header.stamp.nanosec = 34;
  message.header.frame_id = "camera";
  message.height = height;
  message.width = width;
  message.encoding = "bgr8";
  message.step = width * 3;
  message.data.resize(static_cast<size_t>(message.step) * height);
  for (size_t i = 0; i < message.data.size(); ++i) {
    message.data[i] = static_cast<uint8_t>(i * 31 + (i >> 8));
  }
  return message;
}

}  // namespace mgproto::dds::test

#endif  // DDS__CONVERSATION_HPP_
