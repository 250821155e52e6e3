// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DDS__MESSAGE_FIELD_HPP_
#define DDS__MESSAGE_FIELD_HPP_

#include <cstddef>
#include <cstdint>
#include <rosidl_typesupport_introspection_cpp/field_types.hpp>
#include <rosidl_typesupport_introspection_cpp/message_introspection.hpp>
#include <string>

#include "mgproto_ros/error.hpp"

/// Reading rosidl's run-time description of messages.
namespace mgproto::dds
{

namespace introspection = rosidl_typesupport_introspection_cpp;
using introspection::MessageMember;
using introspection::MessageMembers;

/// The fields of a field that is itself a message.
inline const MessageMembers & nested_members(const MessageMember & field)
{
  return *static_cast<const MessageMembers *>(field.members_->data);
}

/// As in `float64[36]`; false for sequences, bounded or not.
inline bool is_fixed_array(const MessageMember & field)
{
  return field.is_array_ && field.array_size_ > 0 && !field.is_upper_bound_;
}

inline const void * field_data(const MessageMember & field, const void * message)
{
  return static_cast<const std::byte *>(message) + field.offset_;
}

inline void * field_data(const MessageMember & field, void * message)
{
  return static_cast<std::byte *>(message) + field.offset_;
}

/// pkg/msg/Name
inline std::string message_name(const MessageMembers & members)
{
  std::string name = std::string(members.message_namespace_) + "::" + members.message_name_;
  for (std::size_t at = name.find("::"); at != std::string::npos; at = name.find("::", at)) {
    name.replace(at, 2, "/");
  }
  return name;
}

/// Calls `function` with a zero of the C++ type that holds such a field, which is neither a string
/// nor a message.
template <class Function>
auto as_primitive(std::uint8_t type_id, Function && function)
{
  switch (type_id) {
    case introspection::ROS_TYPE_BOOLEAN:
      return function(bool());
    case introspection::ROS_TYPE_OCTET:
    case introspection::ROS_TYPE_CHAR:
    case introspection::ROS_TYPE_UINT8:
      return function(std::uint8_t());
    case introspection::ROS_TYPE_INT8:
      return function(std::int8_t());
    case introspection::ROS_TYPE_UINT16:
      return function(std::uint16_t());
    case introspection::ROS_TYPE_INT16:
      return function(std::int16_t());
    case introspection::ROS_TYPE_UINT32:
      return function(std::uint32_t());
    case introspection::ROS_TYPE_INT32:
      return function(std::int32_t());
    case introspection::ROS_TYPE_UINT64:
      return function(std::uint64_t());
    case introspection::ROS_TYPE_INT64:
      return function(std::int64_t());
    case introspection::ROS_TYPE_FLOAT:
      return function(float());
    case introspection::ROS_TYPE_DOUBLE:
      return function(double());
    default:
      throw Error(
        "fields of rosidl's type " + std::to_string(type_id) +
        " are not supported: wide text and long double have no one form on the wire");
  }
}

}  // namespace mgproto::dds

#endif  // DDS__MESSAGE_FIELD_HPP_
