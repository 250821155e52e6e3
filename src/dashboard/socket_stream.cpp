// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "dashboard/socket_stream.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace mgproto::dashboard
{
namespace
{

using std::chrono::milliseconds;
using std::chrono::seconds;
using SteadyClock = std::chrono::steady_clock;

constexpr seconds kWriteTime(5);

bool wait_for(socket_t socket, short event, SteadyClock::time_point until)
{
  for (;;) {
    const auto left = std::chrono::duration_cast<milliseconds>(until - SteadyClock::now());
    pollfd waiting{socket, event, 0};
    const int ready = poll(&waiting, 1, static_cast<int>(std::max(left, milliseconds(0)).count()));
    if (ready >= 0 || errno != EINTR) {
      return ready > 0;
    }
  }
}

using GetName = int (*)(int, sockaddr *, socklen_t *);

void address_of(socket_t socket, GetName get_name, std::string & ip, int & port)
{
  sockaddr_storage address{};
  socklen_t size = sizeof(address);
  if (get_name(socket, reinterpret_cast<sockaddr *>(&address), &size) != 0) {
    return;
  }
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (address.ss_family == AF_INET) {
    const auto & v4 = reinterpret_cast<const sockaddr_in &>(address);
    inet_ntop(AF_INET, &v4.sin_addr, text.data(), text.size());
    port = ntohs(v4.sin_port);
  } else if (address.ss_family == AF_INET6) {
    const auto & v6 = reinterpret_cast<const sockaddr_in6 &>(address);
    inet_ntop(AF_INET6, &v6.sin6_addr, text.data(), text.size());
    port = ntohs(v6.sin6_port);
  }
  ip = text.data();
}

}  // namespace

bool SocketStream::wait_for_request()
{
  read_until_ = SteadyClock::now() + kPatience;
  const bool began = wait_to_read();
  read_until_ = SteadyClock::now() + kPatience;
  return began;
}

bool SocketStream::wait_to_read() const
{
  return begin_ < end_ || wait_for(socket_, POLLIN, read_until_);
}

bool SocketStream::is_readable() const { return wait_to_read(); }

bool SocketStream::is_writable() const
{
  char byte = 0;
  const ssize_t received = recv(socket_, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return received > 0 ||
         (received < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR));
}

ssize_t SocketStream::read(char * data, std::size_t size)
{
  if (begin_ == end_) {
    if (!wait_to_read()) {
      return -1;
    }
    const ssize_t received = recv(socket_, buffer_.data(), buffer_.size(), MSG_DONTWAIT);
    if (received <= 0) {
      return received;
    }
    begin_ = 0;
    end_ = static_cast<std::size_t>(received);
  }
  const std::size_t count = std::min(size, end_ - begin_);
  std::memcpy(data, buffer_.data() + begin_, count);
  begin_ += count;
  return static_cast<ssize_t>(count);
}

ssize_t SocketStream::write(const char * data, std::size_t size)
{
  if (!wait_for(socket_, POLLOUT, SteadyClock::now() + kWriteTime)) {
    return -1;
  }
  const ssize_t sent = ::send(socket_, data, size, MSG_DONTWAIT | MSG_NOSIGNAL);
  return sent < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : sent;
}

void SocketStream::get_remote_ip_and_port(std::string & ip, int & port) const
{
  address_of(socket_, getpeername, ip, port);
}

void SocketStream::get_local_ip_and_port(std::string & ip, int & port) const
{
  address_of(socket_, getsockname, ip, port);
}

}  // namespace mgproto::dashboard
