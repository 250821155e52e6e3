// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DDS__MESSAGE_TYPE_HPP_
#define DDS__MESSAGE_TYPE_HPP_

#include <memory>
#include <rosidl_typesupport_introspection_cpp/message_introspection.hpp>
#include <rosidl_typesupport_introspection_cpp/message_type_support_decl.hpp>
#include <string>
#include <vector>

namespace mgproto::dds
{

/// A type of ROS message, as programs on the network know it. There is one object per type, which
/// lives as long as the program.
class MessageType
{
public:
  explicit MessageType(const rosidl_message_type_support_t & support);
  MessageType(const MessageType &) = delete;
  MessageType & operator=(const MessageType &) = delete;

  /// sensor_msgs/msg/Image
  const std::string & name() const { return name_; }

  /// sensor_msgs::msg::dds_::Image_
  const std::string & dds_name() const { return dds_name_; }

  /// RIHS01_ and 64 hex digits: equal only if the definitions are.
  const std::string & hash() const { return hash_; }

  const rosidl_typesupport_introspection_cpp::MessageMembers & members() const { return members_; }

private:
  const rosidl_typesupport_introspection_cpp::MessageMembers & members_;
  std::string name_;
  std::string dds_name_;
  std::string hash_;
};

/// For example message_type<sensor_msgs::msg::Image>(). Not before main(): rosidl's descriptions are
/// put together by then.
template <class Message>
const MessageType & message_type()
{
  static const MessageType type(
    *rosidl_typesupport_introspection_cpp::get_message_type_support_handle<Message>());
  return type;
}

/// All types that this program knows, by name.
const std::vector<const MessageType *> & message_types();

/// The type with this ROS or DDS name; null if this program does not know it.
const MessageType * find_message_type(const std::string & ros_or_dds_name);

/// A message whose type is known at run time only. Begins with the default values.
class AnyMessage
{
public:
  explicit AnyMessage(const MessageType & type);

  const MessageType & type() const { return *type_; }
  void * data() { return data_.get(); }
  const void * data() const { return data_.get(); }

private:
  struct Destroy
  {
    const MessageType * type;
    void operator()(void * message) const;
  };
  const MessageType * type_;
  std::unique_ptr<void, Destroy> data_;
};

}  // namespace mgproto::dds

#endif  // DDS__MESSAGE_TYPE_HPP_
