// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DDS__PARTICIPANT_SETTINGS_HPP_
#define DDS__PARTICIPANT_SETTINGS_HPP_

#include <fastdds/dds/domain/qos/DomainParticipantQos.hpp>
#include <string>
#include <vector>

#include "dds/environment.hpp"

namespace mgproto::dds
{

/// How a node finds others and how its data travels.
eprosima::fastdds::dds::DomainParticipantQos participant_settings(
  const std::string & node_name, int domain_id, DiscoveryRange range, bool with_shared_memory);

/// What ROS 2 writes into the user data of participants and endpoints.
std::vector<uint8_t> user_data(const std::string & text);

/// Settings of the Fast DDS library as a whole, made once a process, before the first participant.
void set_up_library();

}  // namespace mgproto::dds

#endif  // DDS__PARTICIPANT_SETTINGS_HPP_
