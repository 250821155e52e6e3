// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ROS2__INBOX_HPP_
#define ROS2__INBOX_HPP_

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <vector>

namespace mgproto_ros::test
{

/// Collects the messages of a subscription and waits for them.
template <class Message>
class Inbox
{
public:
  void add(const Message & message)
  {
    {
      const std::lock_guard lock(mutex_);
      messages_.push_back(message);
    }
    changed_.notify_all();
  }

  /// Whether one that meets the condition has come or comes within the time.
  bool wait_for(
    const std::function<bool(const Message &)> & condition,
    std::chrono::seconds time = std::chrono::seconds(20))
  {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, time, [&] {
      for (const Message & message : messages_) {
        if (condition(message)) {
          return true;
        }
      }
      return false;
    });
  }
  bool wait_for_stamp(int sec)
  {
    return wait_for([sec](const Message & message) { return message.header.stamp.sec == sec; });
  }
  bool wait_for_one()
  {
    return wait_for([](const Message &) { return true; });
  }

  std::vector<Message> all() const
  {
    const std::lock_guard lock(mutex_);
    return messages_;
  }
  /// The one with this stamp; it must be there.
  Message with_stamp(int sec) const
  {
    for (const Message & message : all()) {
      if (message.header.stamp.sec == sec) {
        return message;
      }
    }
    throw std::runtime_error("no message with stamp " + std::to_string(sec));
  }
  void clear()
  {
    const std::lock_guard lock(mutex_);
    messages_.clear();
  }

private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Message> messages_;
};

}  // namespace mgproto_ros::test

#endif  // ROS2__INBOX_HPP_
