// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef PERCEPTION__COMMAND_THREAD_HPP_
#define PERCEPTION__COMMAND_THREAD_HPP_

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace mgproto::perception
{

/// Does what takes seconds, such as loading a model, one thing after the other and away from whoever
/// asks for it.
class CommandThread
{
public:
  /// Commands that wait. What is asked for beyond is not done.
  static constexpr std::size_t kMostWaiting = 32;

  CommandThread();
  /// Finishes the command in work; those that wait are dropped.
  ~CommandThread();

  /// From any thread; does not wait. A command must not throw. False if too many wait already.
  bool run(std::function<void()> command);

private:
  void work();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> commands_;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace mgproto::perception

#endif  // PERCEPTION__COMMAND_THREAD_HPP_
