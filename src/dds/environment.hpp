// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DDS__ENVIRONMENT_HPP_
#define DDS__ENVIRONMENT_HPP_

namespace mgproto::dds
{

/// Who is looked for, as in ROS 2.
enum class DiscoveryRange
{
  off,        // nobody outside this process
  localhost,  // nodes of this machine
  subnet,     // and those that multicast reaches
};

/// Above it the ports of DDS would pass 65535.
inline constexpr int largest_domain_id = 232;

/// ROS_DOMAIN_ID, 0 if it is not set. Throws ConfigError unless it is a number from 0 to 232.
int domain_id_from_environment();

/// ROS_LOCALHOST_ONLY=1 goes before ROS_AUTOMATIC_DISCOVERY_RANGE (OFF, LOCALHOST, SUBNET or
/// SYSTEM_DEFAULT); subnet if neither is set. Throws ConfigError for another word.
DiscoveryRange discovery_range_from_environment();

}  // namespace mgproto::dds

#endif  // DDS__ENVIRONMENT_HPP_
