// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DDS__PERCEPTION_HOST_HPP_
#define DDS__PERCEPTION_HOST_HPP_

#include <memory>

#include "dds/log.hpp"
#include "dds/node.hpp"
#include "perception/perception.hpp"

namespace mgproto::dds
{

/// The perception node on plain DDS: the topics, QoS and parameters of the ROS 2 node, without
/// its services.
class PerceptionHost
{
public:
  /// Loads the model and begins to listen; throws what Perception's constructor throws, and
  /// ConfigError for an image transport other than raw and compressed.
  PerceptionHost(Node & node, const perception::Settings & settings, Log log);
  ~PerceptionHost();

  const perception::Perception & perception() const;

private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace mgproto::dds

#endif  // DDS__PERCEPTION_HOST_HPP_
