// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ROS2__MANAGER_BOND_HPP_
#define ROS2__MANAGER_BOND_HPP_

#include <memory>
#include <rclcpp_lifecycle/lifecycle_node.hpp>
#ifdef MGPROTO_BOND
#include <bondcpp/bond.hpp>
#endif

namespace mgproto_ros
{

/// The heartbeat by which nav2's lifecycle manager sees that an active node is alive. Nothing where
/// the package has been built without bondcpp.
class ManagerBond
{
public:
  void form([[maybe_unused]] const std::shared_ptr<rclcpp_lifecycle::LifecycleNode> & node)
  {
#ifdef MGPROTO_BOND
    // As nav2 has them.
    constexpr double kPeriod = 0.1;
    constexpr double kTimeout = 4.0;
    bond_ = std::make_unique<bond::Bond>("bond", node->get_name(), node);
    bond_->setHeartbeatPeriod(kPeriod);
    bond_->setHeartbeatTimeout(kTimeout);
    bond_->start();
#endif
  }

  void end()
  {
#ifdef MGPROTO_BOND
    bond_.reset();
#endif
  }

private:
#ifdef MGPROTO_BOND
  std::unique_ptr<bond::Bond> bond_;
#endif
};

}  // namespace mgproto_ros

#endif  // ROS2__MANAGER_BOND_HPP_
