// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "dashboard/http_server.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <exception>
#include <future>

#include "dashboard/socket_stream.hpp"
#include "mgproto_ros/error.hpp"

namespace mgproto::dashboard
{
namespace
{

/// Browsers hold several at once, and every one has a thread.
constexpr int kConnections = 64;
constexpr int kRequestsPerConnection = 1000;
constexpr std::size_t kMaxBody = 16384;  // bytes

/// Without the SO_REUSEPORT that httplib sets, which lets two servers share a port and each get half
/// of the requests.
void take_port_alone(socket_t socket)
{
  const int yes = 1;
  setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
}

}  // namespace

HttpServer::HttpServer()
{
  set_socket_options(take_port_alone);
  set_tcp_nodelay(true);
  set_payload_max_length(kMaxBody);
  set_keep_alive_max_count(kRequestsPerConnection);
  set_keep_alive_timeout(SocketStream::kPatience.count());
}

HttpServer::~HttpServer() { stop(); }

int HttpServer::start(const std::string & address, int port)
{
  if (port < 0 || port > 65535) {
    throw ConfigError("port", "is " + std::to_string(port) + "; expected 0 to 65535");
  }
  errno = 0;
  const int bound =
    port == 0 ? bind_to_any_port(address) : (bind_to_port(address, port) ? port : -1);
  if (bound < 0) {
    const int problem = errno;
    throw Error(
      "port " + std::to_string(port) + " on " + address + ": " +
      (problem == EADDRINUSE ? "is already in use; expected a free one"
       : problem != 0        ? std::string("cannot listen: ") + std::strerror(problem)
                             : "cannot listen; expected an address of this machine"));
  }
  // Until it listens, httplib's stop() would be without effect.
  std::promise<void> listens;
  new_task_queue = [&listens] {
    listens.set_value();
    return new httplib::ThreadPool(kConnections);
  };
  listener_ = std::thread([this] { listen_after_bind(); });
  listens.get_future().wait();
  return bound;
}

void HttpServer::stop()
{
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stopping_ = true;
    for (const socket_t socket : open_) {
      shutdown(socket, SHUT_RDWR);
    }
  }
  httplib::Server::stop();
  if (listener_.joinable()) {
    listener_.join();
  }
}

bool HttpServer::process_and_close_socket(socket_t socket)
{
  bool admitted = false;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    admitted = !stopping_ && open_.insert(socket).second;
  }
  if (admitted) {
    try {
      answer_requests(socket);
    } catch (const std::exception &) {
      // It costs this connection, which the browser will open again.
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    open_.erase(socket);
  }
  shutdown(socket, SHUT_RDWR);
  close(socket);
  return admitted;
}

void HttpServer::answer_requests(socket_t socket)
{
  SocketStream stream(socket);
  for (int left = kRequestsPerConnection; left > 0 && stream.wait_for_request(); --left) {
    bool last = left == 1;
    const bool answered = process_request(stream, last, last, [&last](httplib::Request & request) {
      // Parts of a picture are of no use, and many parts of one would be much to send.
      request.ranges.clear();
      // A body that is refused is left unread; it must not be taken for the next request.
      last = last || (request.method != "GET" && request.method != "HEAD");
    });
    if (!answered || last) {
      return;
    }
  }
}

}  // namespace mgproto::dashboard
