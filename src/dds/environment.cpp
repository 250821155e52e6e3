// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "dds/environment.hpp"

#include <charconv>
#include <cstdlib>
#include <string>

#include "mgproto_ros/error.hpp"

namespace mgproto::dds
{
namespace
{

std::string variable(const char * name)
{
  const char * value = std::getenv(name);
  return value != nullptr ? value : "";
}

}  // namespace

int domain_id_from_environment()
{
  const std::string text = variable("ROS_DOMAIN_ID");
  if (text.empty()) {
    return 0;
  }
  int id = -1;
  const char * end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, id);
  if (problem != std::errc() || stop != end || id < 0 || id > largest_domain_id) {
    throw ConfigError("ROS_DOMAIN_ID", "'" + text + "' is not a number from 0 to 232");
  }
  return id;
}

DiscoveryRange discovery_range_from_environment()
{
  if (variable("ROS_LOCALHOST_ONLY") == "1") {
    return DiscoveryRange::localhost;
  }
  const std::string range = variable("ROS_AUTOMATIC_DISCOVERY_RANGE");
  if (range.empty() || range == "SUBNET" || range == "SYSTEM_DEFAULT") {
    return DiscoveryRange::subnet;
  }
  if (range == "LOCALHOST") {
    return DiscoveryRange::localhost;
  }
  if (range == "OFF") {
    return DiscoveryRange::off;
  }
  throw ConfigError(
    "ROS_AUTOMATIC_DISCOVERY_RANGE",
    "'" + range + "' is not OFF, LOCALHOST, SUBNET or SYSTEM_DEFAULT");
}

}  // namespace mgproto::dds
