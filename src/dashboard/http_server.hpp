// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DASHBOARD__HTTP_SERVER_HPP_
#define DASHBOARD__HTTP_SERVER_HPP_

#include <httplib.h>

#include <mutex>
#include <set>
#include <string>
#include <thread>

namespace mgproto::dashboard
{

/// httplib's server with its connections in hand, so that stop() ends them at once: httplib itself
/// waits for each to fall silent, which a stream of events never does. It answers GET and HEAD only.
///
/// Routes are set before start(), which is called once.
class HttpServer : public httplib::Server
{
public:
  HttpServer();
  ~HttpServer() override;

  /// Serves on a thread of its own. Returns the port, which is `port` unless that is 0. Throws Error
  /// if it cannot be had, ConfigError if there is no such port.
  int start(const std::string & address, int port);
  /// Returns when all connections and threads have ended.
  void stop();

private:
  bool process_and_close_socket(socket_t socket) override;
  void answer_requests(socket_t socket);

  std::thread listener_;
  std::mutex mutex_;
  bool stopping_ = false;
  std::set<socket_t> open_;
};

}  // namespace mgproto::dashboard

#endif  // DASHBOARD__HTTP_SERVER_HPP_
