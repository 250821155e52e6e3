// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ROS2__COMMAND_THREAD_HPP_
#define ROS2__COMMAND_THREAD_HPP_

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace mgproto_ros
{

/// Does what takes seconds, such as loading a model, one thing after the other and away from the
/// executor.
class CommandThread
{
public:
  CommandThread();
  /// Finishes the command in work; those that wait are dropped.
  ~CommandThread();

  /// From any thread; does not wait. A command must not throw.
  void run(std::function<void()> command);

private:
  void work();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> commands_;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace mgproto_ros

#endif  // ROS2__COMMAND_THREAD_HPP_
