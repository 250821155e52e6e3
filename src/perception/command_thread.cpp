// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "perception/command_thread.hpp"

#include <utility>

namespace mgproto::perception
{

CommandThread::CommandThread() : thread_([this] { work(); }) {}

CommandThread::~CommandThread()
{
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

bool CommandThread::run(std::function<void()> command)
{
  {
    const std::lock_guard lock(mutex_);
    if (commands_.size() >= kMostWaiting) {
      return false;
    }
    commands_.push_back(std::move(command));
  }
  changed_.notify_all();
  return true;
}

void CommandThread::work()
{
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stop_ || !commands_.empty(); });
    if (stop_) {
      return;
    }
    const std::function<void()> command = std::move(commands_.front());
    commands_.pop_front();
    lock.unlock();
    command();
    lock.lock();
  }
}

}  // namespace mgproto::perception
