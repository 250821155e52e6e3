// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DDS__QOS_HPP_
#define DDS__QOS_HPP_

namespace mgproto::dds
{

/// ROS 2's qualities of service that matter here; the defaults are ROS 2's. A reliable subscription
/// does not connect to a best-effort publisher, nor a transient-local one to a volatile publisher;
/// the other way round they do.
struct Qos
{
  bool reliable = true;
  bool transient_local = false;  // a late subscriber gets the last `depth` messages
  int depth = 10;                // messages that are kept, the newest ones
};

/// For cameras: the newest message counts, a lost one does not.
inline constexpr Qos sensor_data_qos{false, false, 5};

/// For what is said once and must be known to all, such as labels.
inline constexpr Qos latched_qos{true, true, 1};

}  // namespace mgproto::dds

#endif  // DDS__QOS_HPP_
