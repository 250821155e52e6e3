// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DDS__UNICAST_TRANSPORT_HPP_
#define DDS__UNICAST_TRANSPORT_HPP_

#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>

#include <memory>

namespace mgproto::dds
{

/// UDP that uses multicast on `discovery_port` alone, where nodes announce themselves; messages go to
/// unicast addresses.
///
/// Fast DDS 2.9 prefers the multicast address that several readers share, as those of Cyclone DDS
/// do, and then prepares no channel to their unicast addresses, but uses those for what is meant for
/// one reader. Debian's build, with statistics and assertions, ends the process there.
std::shared_ptr<eprosima::fastdds::rtps::TransportDescriptorInterface> unicast_transport(
  std::shared_ptr<eprosima::fastdds::rtps::UDPv4TransportDescriptor> udp, uint32_t discovery_port);

}  // namespace mgproto::dds

#endif  // DDS__UNICAST_TRANSPORT_HPP_
