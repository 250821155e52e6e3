// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DASHBOARD__VIEWERS_HPP_
#define DASHBOARD__VIEWERS_HPP_

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <httplib.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

namespace mgproto::dashboard
{

/// A page that listens to /events.
class Viewer
{
public:
  explicit Viewer(int port) : client_("127.0.0.1", port)
  {
    client_.set_read_timeout(10, 0);
    thread_ = std::thread([this] { listen(); });
  }
  ~Viewer() { leave(); }

  void leave()
  {
    leaving_ = true;
    client_.stop();
    if (thread_.joinable()) {
      thread_.join();
    }
  }

  /// The `data` of all `news` so far.
  std::vector<nlohmann::json> news() const
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    return news_;
  }
  /// Waits until the condition holds for one of them, which is returned; null after five seconds.
  nlohmann::json wait_for(const std::function<bool(const nlohmann::json &)> & condition) const
  {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    while (std::chrono::steady_clock::now() < end) {
      for (const nlohmann::json & one : news()) {
        if (condition(one)) {
          return one;
        }
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return nullptr;
  }
  nlohmann::json first() const
  {
    return wait_for([](const nlohmann::json &) { return true; });
  }
  bool has_ended() const { return ended_; }

private:
  void listen()
  {
    client_.Get("/events", [this](const char * data, std::size_t size) {
      const std::lock_guard<std::mutex> lock(mutex_);
      received_.append(data, size);
      std::size_t end = 0;
      while ((end = received_.find("\n\n")) != std::string::npos) {
        read_event(received_.substr(0, end));
        received_.erase(0, end + 2);
      }
      return !leaving_;
    });
    ended_ = true;
  }

  void read_event(const std::string & event)
  {
    const std::string mark = "event: news\ndata: ";
    const std::size_t begin = event.find(mark);
    if (begin != std::string::npos) {
      const std::string data = event.substr(begin + mark.size());
      EXPECT_EQ(data.find_first_of("\r\n"), std::string::npos) << "an event of several lines";
      news_.push_back(nlohmann::json::parse(data));
    }
  }

  httplib::Client client_;
  mutable std::mutex mutex_;
  std::string received_;
  std::vector<nlohmann::json> news_;
  std::atomic<bool> leaving_{false};
  std::atomic<bool> ended_{false};
  std::thread thread_;
};

/// A connection that sends what it is told to and never reads.
class SilentConnection
{
public:
  SilentConnection(int port, const std::string & request) : socket_(socket(AF_INET, SOCK_STREAM, 0))
  {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(socket_, reinterpret_cast<sockaddr *>(&address), sizeof(address)), 0);
    EXPECT_EQ(
      send(socket_, request.data(), request.size(), 0), static_cast<ssize_t>(request.size()));
  }
  ~SilentConnection() { close(socket_); }
  SilentConnection(const SilentConnection &) = delete;
  SilentConnection & operator=(const SilentConnection &) = delete;

private:
  int socket_;
};

}  // namespace mgproto::dashboard

#endif  // DASHBOARD__VIEWERS_HPP_
