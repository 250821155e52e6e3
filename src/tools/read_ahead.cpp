// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "tools/source_kinds.hpp"

namespace mgproto::tools
{
namespace
{

class ReadAhead : public FrameSource
{
public:
  ReadAhead(std::unique_ptr<FrameSource> source, std::size_t ahead)
  : rate_(source->native_rate()), source_(std::move(source)), ahead_(ahead)
  {
    thread_ = std::thread([this] { read(); });
  }

  ~ReadAhead() override
  {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      stop_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  std::optional<SourceFrame> next() override
  {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return !frames_.empty() || ended_; });
    if (frames_.empty()) {
      if (failure_) {
        std::rethrow_exception(failure_);
      }
      return std::nullopt;
    }
    SourceFrame frame = std::move(frames_.front());
    frames_.pop_front();
    lock.unlock();
    changed_.notify_all();
    return frame;
  }

  std::optional<double> native_rate() const override { return rate_; }

private:
  void read()
  {
    bool more = true;
    while (more) {
      std::optional<SourceFrame> frame;
      std::exception_ptr failure;
      try {
        frame = source_->next();
      } catch (...) {
        failure = std::current_exception();
      }
      std::unique_lock<std::mutex> lock(mutex_);
      if (frame) {
        changed_.wait(lock, [this] { return frames_.size() < ahead_ || stop_; });
        frames_.push_back(std::move(*frame));
      }
      failure_ = failure;
      ended_ = stop_ || !frame;
      more = !ended_;
      lock.unlock();
      changed_.notify_all();
    }
  }

  const std::optional<double> rate_;
  const std::unique_ptr<FrameSource> source_;
  const std::size_t ahead_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<SourceFrame> frames_;  // this and the following under mutex_
  std::exception_ptr failure_;
  bool ended_ = false;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace

std::unique_ptr<FrameSource> read_ahead(std::unique_ptr<FrameSource> source, std::size_t ahead)
{
  return std::make_unique<ReadAhead>(std::move(source), ahead);
}

}  // namespace mgproto::tools
