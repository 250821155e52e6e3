// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DDS__TRUST_GATE_HOST_HPP_
#define DDS__TRUST_GATE_HOST_HPP_

#include <memory>

#include "dds/log.hpp"
#include "dds/node.hpp"
#include "perception/gate_settings.hpp"

namespace mgproto::dds
{

/// The trust gate on plain DDS: the topics, QoS and parameters of the ROS 2 node. Ages of stamps are
/// by the system clock.
class TrustGateHost
{
public:
  /// Throws ConfigError for a topic that cannot be one.
  TrustGateHost(Node & node, const perception::GateSettings & settings, Log log);
  ~TrustGateHost();

private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace mgproto::dds

#endif  // DDS__TRUST_GATE_HOST_HPP_
