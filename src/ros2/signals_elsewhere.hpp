// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ROS2__SIGNALS_ELSEWHERE_HPP_
#define ROS2__SIGNALS_ELSEWHERE_HPP_

#include <csignal>

namespace mgproto_ros
{

/// As long as it lives, this thread and those that it starts take no SIGINT and no SIGTERM, but
/// rclcpp's own thread does. rclcpp's handler writes to the log, which waits for ever if what it
/// interrupts is just allocating memory, as a node that loads its model does most of the time.
class SignalsElsewhere
{
public:
  SignalsElsewhere()
  {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, &before_);
  }
  ~SignalsElsewhere() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsElsewhere(const SignalsElsewhere &) = delete;
  SignalsElsewhere & operator=(const SignalsElsewhere &) = delete;

private:
  sigset_t before_;
};

}  // namespace mgproto_ros

#endif  // ROS2__SIGNALS_ELSEWHERE_HPP_
