// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "dds/participant_settings.hpp"

#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>
#include <fastdds/rtps/transport/shared_mem/SharedMemTransportDescriptor.h>
#include <fastrtps/utils/IPLocator.h>
#include <fastrtps/xmlparser/XMLProfileManager.h>

#include <fastdds/dds/log/Log.hpp>
#include <iostream>
#include <memory>
#include <mutex>
#include <utility>

#include "dds/shared_memory.hpp"
#include "dds/unicast_transport.hpp"

namespace mgproto::dds
{
namespace
{

namespace fast = eprosima::fastdds::dds;
namespace rtps = eprosima::fastrtps::rtps;
using eprosima::fastdds::rtps::SharedMemTransportDescriptor;
using eprosima::fastdds::rtps::UDPv4TransportDescriptor;
using eprosima::fastrtps::Duration_t;

// The kernel gives what net.core.rmem_max allows.
constexpr uint32_t socket_buffer_size = 4 * 1024 * 1024;

// Participants of this machine that are looked for without multicast, as many as ROS 2 looks for.
constexpr uint32_t local_participants = 32;

// Ports of the DDS standard for discovery.
constexpr uint32_t multicast_port = 7400;
constexpr uint32_t ports_per_domain = 250;

rtps::Locator_t udp_locator(const std::string & address, uint32_t port)
{
  rtps::Locator_t locator(LOCATOR_KIND_UDPv4, port);
  rtps::IPLocator::setIPv4(locator, address);
  return locator;
}

// Errors only, on stderr, because stdout may be somebody's data.
class ErrorLine : public fast::LogConsumer
{
public:
  void Consume(const fast::Log::Entry & entry) override
  {
    std::cerr << "Fast DDS: " + entry.message + "\n";
  }
};

}  // namespace

std::vector<uint8_t> user_data(const std::string & text) { return {text.begin(), text.end()}; }

void set_up_library()
{
  static std::once_flag once;
  std::call_once(once, [] {
    fast::Log::ClearConsumers();
    fast::Log::SetVerbosity(fast::Log::Kind::Error);
    fast::Log::RegisterConsumer(std::make_unique<ErrorLine>());

    // Otherwise a publisher would run the callbacks of subscribers in the same process itself.
    eprosima::fastrtps::LibrarySettingsAttributes library;
    library.intraprocess_delivery = eprosima::fastrtps::INTRAPROCESS_OFF;
    eprosima::fastrtps::xmlparser::XMLProfileManager::library_settings(library);
  });
}

fast::DomainParticipantQos participant_settings(
  const std::string & node_name, int domain_id, DiscoveryRange range, bool with_shared_memory)
{
  fast::DomainParticipantQos qos;
  qos.name(node_name.c_str());
  qos.user_data().setValue(user_data("enclave=/;"));

  const uint32_t discovery_port =
    multicast_port + ports_per_domain * static_cast<uint32_t>(domain_id);
  auto udp = std::make_shared<UDPv4TransportDescriptor>();
  udp->receiveBufferSize = socket_buffer_size;
  udp->sendBufferSize = socket_buffer_size;
  udp->maxInitialPeersRange = local_participants;
  qos.transport().use_builtin_transports = false;
  qos.transport().user_transports.push_back(unicast_transport(std::move(udp), discovery_port));
  if (with_shared_memory) {
    auto shared_memory = std::make_shared<SharedMemTransportDescriptor>();
    shared_memory->segment_size(shared_memory_segment_size);
    qos.transport().user_transports.push_back(std::move(shared_memory));
  }

  auto & builtin = qos.wire_protocol().builtin;
  auto & discovery = builtin.discovery_config;
  discovery.initial_announcements.count = 20;
  discovery.initial_announcements.period = Duration_t(0, 100'000'000);
  discovery.leaseDuration_announcementperiod = Duration_t(1, 0);
  discovery.leaseDuration = Duration_t(10, 0);

  // The loopback interface has no multicast, so nodes of this machine are called one by one; port 0
  // stands for the ports of all `local_participants`.
  builtin.initialPeersList.push_back(udp_locator("127.0.0.1", 0));
  if (range == DiscoveryRange::subnet) {
    builtin.initialPeersList.push_back(udp_locator("239.255.0.1", discovery_port));
  } else {
    // A list of our own takes the place of the default one, which listens to multicast.
    builtin.metatrafficUnicastLocatorList.push_back(udp_locator("127.0.0.1", 0));
  }
  if (range == DiscoveryRange::off) {
    discovery.ignoreParticipantFlags = static_cast<rtps::ParticipantFilteringFlags_t>(
      rtps::FILTER_DIFFERENT_HOST | rtps::FILTER_DIFFERENT_PROCESS);
  }
  return qos;
}

}  // namespace mgproto::dds
