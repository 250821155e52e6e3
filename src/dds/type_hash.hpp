// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DDS__TYPE_HASH_HPP_
#define DDS__TYPE_HASH_HPP_

#include <rosidl_typesupport_introspection_cpp/message_introspection.hpp>
#include <string>

namespace mgproto::dds
{

/// The hash by which ROS 2 (Iron and later, REP 2016) compares the types of a topic's two sides:
/// "RIHS01_" and the SHA-256 of the type's description. Names and types of all fields count, also
/// those of the types inside; constants and default values do not. Throws Error if a field is of a
/// type that the wire format here does not support.
std::string type_hash(const rosidl_typesupport_introspection_cpp::MessageMembers & members);

}  // namespace mgproto::dds

#endif  // DDS__TYPE_HASH_HPP_
