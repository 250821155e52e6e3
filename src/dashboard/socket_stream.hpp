// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DASHBOARD__SOCKET_STREAM_HPP_
#define DASHBOARD__SOCKET_STREAM_HPP_

#include <httplib.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <string>

namespace mgproto::dashboard
{

/// A browser's connection, which is not waited for without end: neither for a request that never
/// comes or never ends, nor for a reader that takes nothing. Does not own the socket.
class SocketStream : public httplib::Stream
{
public:
  /// For a request to begin, and again for it to be complete.
  static constexpr std::chrono::seconds kPatience{3};

  explicit SocketStream(socket_t socket) : socket_(socket) {}

  /// False if none begins in time. Gives the next request its time to be read.
  bool wait_for_request();

  bool is_readable() const override;
  /// Whether somebody is still there to write to, though they may be slow.
  bool is_writable() const override;
  ssize_t read(char * data, std::size_t size) override;
  /// Waits a few seconds for room. May write less than `size`; -1 if nobody takes it.
  ssize_t write(const char * data, std::size_t size) override;
  void get_remote_ip_and_port(std::string & ip, int & port) const override;
  void get_local_ip_and_port(std::string & ip, int & port) const override;
  socket_t socket() const override { return socket_; }

private:
  bool wait_to_read() const;

  socket_t socket_;
  std::chrono::steady_clock::time_point read_until_;
  std::array<char, 4096> buffer_{};
  std::size_t begin_ = 0;  ///< of what was received and not read yet
  std::size_t end_ = 0;
};

}  // namespace mgproto::dashboard

#endif  // DASHBOARD__SOCKET_STREAM_HPP_
