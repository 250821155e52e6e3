// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "dashboard/event_stream.hpp"

#include <chrono>
#include <string>
#include <utility>

namespace mgproto::dashboard
{
namespace
{

using namespace std::chrono_literals;

/// News that come close together, as a prediction and its overlay do, are told together.
constexpr auto kGathering = 40ms;
/// How soon a viewer's leaving is noticed.
constexpr auto kLookUp = 250ms;
constexpr auto kTick = 2s;

}  // namespace

EventStream::EventStream(const Board & board, std::shared_ptr<void> seat)
: board_(board), seat_(std::move(seat))
{
}

bool EventStream::send_next(httplib::DataSink & sink)
{
  std::string event;
  if (board_.wait_for_news(told_, kLookUp)) {
    const bool first = told_ == 0;
    if (!first && board_.wait_for_close(kGathering)) {
      return false;
    }
    const Board::News news = board_.news_since(told_);
    event = (first ? "retry: 1000\n" : "") + ("event: news\ndata: " + news.json) + "\n\n";
    told_ = news.version;
  } else if (board_.wait_for_close(0s)) {
    return false;
  } else if (Clock::now() - last_sent_ > kTick) {
    event = "event: tick\ndata: 0\n\n";
  }
  if (event.empty()) {
    return sink.is_writable();
  }
  last_sent_ = Clock::now();
  return sink.write(event.data(), event.size());
}

}  // namespace mgproto::dashboard
