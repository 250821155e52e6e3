// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DDS__RARE_FIELDS_HPP_
#define DDS__RARE_FIELDS_HPP_

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <rosidl_runtime_cpp/bounded_vector.hpp>
#include <string>
#include <vector>

#include "dds/message_field.hpp"
#include "dds/message_type.hpp"

namespace mgproto::dds::test
{

/// The kinds of field that ROS messages may have and none of the known ones has, described as
/// rosidl would:
///   bool[] flags, bool[2] pair, int16[<=3] few, string[] words, int64 big, byte[] raw
struct RareFields
{
  std::vector<bool> flags;
  std::array<bool, 2> pair{};
  rosidl_runtime_cpp::BoundedVector<std::int16_t, 3> few;
  std::vector<std::string> words;
  std::int64_t big = 0;
  std::vector<unsigned char> raw;
};

template <class Array>
MessageMember array_field(const char * name, std::uint8_t type_id, std::size_t offset)
{
  using Element = typename Array::value_type;
  MessageMember field{};
  field.name_ = name;
  field.type_id_ = type_id;
  field.offset_ = static_cast<std::uint32_t>(offset);
  field.is_array_ = true;
  field.size_function = [](const void * array) {
    return static_cast<const Array *>(array)->size();
  };
  field.fetch_function = [](const void * array, std::size_t i, void * element) {
    *static_cast<Element *>(element) = (*static_cast<const Array *>(array))[i];
  };
  field.assign_function = [](void * array, std::size_t i, const void * element) {
    (*static_cast<Array *>(array))[i] = *static_cast<const Element *>(element);
  };
  return field;
}

/// For arrays that keep their elements in memory, which vector<bool> does not.
template <class Array>
MessageMember addressable_field(const char * name, std::uint8_t type_id, std::size_t offset)
{
  MessageMember field = array_field<Array>(name, type_id, offset);
  field.get_const_function = [](const void * array, std::size_t i) {
    return static_cast<const void *>(&(*static_cast<const Array *>(array))[i]);
  };
  field.get_function = [](void * array, std::size_t i) {
    return static_cast<void *>(&(*static_cast<Array *>(array))[i]);
  };
  return field;
}

template <class Array>
void resize(void * array, std::size_t size)
{
  static_cast<Array *>(array)->resize(size);
}

inline const MessageType & rare_fields_type()
{
  using Few = decltype(RareFields::few);
  static const auto fields = [] {
    std::array<MessageMember, 6> described{
      array_field<std::vector<bool>>(
        "flags", introspection::ROS_TYPE_BOOLEAN, offsetof(RareFields, flags)),
      addressable_field<std::array<bool, 2>>(
        "pair", introspection::ROS_TYPE_BOOLEAN, offsetof(RareFields, pair)),
      addressable_field<Few>("few", introspection::ROS_TYPE_INT16, offsetof(RareFields, few)),
      addressable_field<std::vector<std::string>>(
        "words", introspection::ROS_TYPE_STRING, offsetof(RareFields, words)),
      MessageMember{},
      addressable_field<std::vector<unsigned char>>(
        "raw", introspection::ROS_TYPE_OCTET, offsetof(RareFields, raw))};
    described[0].resize_function = resize<std::vector<bool>>;
    described[1].array_size_ = 2;
    described[2].resize_function = resize<Few>;
    described[2].array_size_ = 3;
    described[2].is_upper_bound_ = true;
    described[3].resize_function = resize<std::vector<std::string>>;
    described[4].name_ = "big";
    described[4].type_id_ = introspection::ROS_TYPE_INT64;
    described[4].offset_ = offsetof(RareFields, big);
    described[5].resize_function = resize<std::vector<unsigned char>>;
    return described;
  }();
  static const auto members = [] {
    MessageMembers described{};
    described.message_namespace_ = "test_msgs::msg";
    described.message_name_ = "RareFields";
    described.member_count_ = static_cast<std::uint32_t>(fields.size());
    described.size_of_ = sizeof(RareFields);
    described.members_ = fields.data();
    described.init_function = [](void * memory, rosidl_runtime_cpp::MessageInitialization) {
      new (memory) RareFields();
    };
    described.fini_function = [](void * memory) {
      static_cast<RareFields *>(memory)->~RareFields();
    };
    return described;
  }();
  static const auto support = [] {
    rosidl_message_type_support_t handle{};
    handle.data = &members;
    return handle;
  }();
  static const MessageType type(support);
  return type;
}

inline RareFields some_rare_fields()
{
  RareFields message;
  message.flags = {true, false, true};
  message.pair = {false, true};
  message.few.push_back(-300);
  message.few.push_back(7);
  message.words = {"", "two words"};
  message.big = -5000000000;
  message.raw = {0, 255};
  return message;
}

}  // namespace mgproto::dds::test

#endif  // DDS__RARE_FIELDS_HPP_
