// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

// Covers the hashes by which ROS 2 compares types, against those that real ROS 2 Jazzy gives.

#include <gtest/gtest.h>

#include <algorithm>
#include <mgproto_ros/msg/prediction.hpp>
#include <set>

#include "dds/type_hash.hpp"
#include "mgproto_ros/error.hpp"
#include "test/dds/wire_cases.hpp"

namespace mgproto::dds
{
namespace
{

TEST(TypeHash, EqualsTheHashesOfRos2)
{
  for (const auto & wire_case : test::wire_cases()) {
    EXPECT_EQ(wire_case.type->hash(), wire_case.hash) << wire_case.type->name();
  }
}

MessageMembers message_with(const MessageMember & field, const char * name)
{
  MessageMembers members{};
  members.message_namespace_ = "std_msgs::msg";
  members.message_name_ = name;
  members.member_count_ = 1;
  members.members_ = &field;
  return members;
}

TEST(TypeHash, CountsTheFieldThatRosidlPutsIntoEmptyMessages)
{
  MessageMember field{};
  field.name_ = "structure_needs_at_least_one_member";
  field.type_id_ = introspection::ROS_TYPE_UINT8;

  // The hash of std_msgs/msg/Empty.
  EXPECT_EQ(
    type_hash(message_with(field, "Empty")),
    "RIHS01_20b625256f32d5dbc0d04fee44f43c41e51c70d3502f84b4a08e7a9c26a96312");
}

TEST(TypeHash, RefusesFieldsThatTheWireFormatDoesNotSupport)
{
  MessageMember field{};
  field.name_ = "data";
  field.type_id_ = introspection::ROS_TYPE_WSTRING;

  EXPECT_THROW(type_hash(message_with(field, "WString")), Error);
}

TEST(TypeHash, TellsAllKnownTypesApart)
{
  std::set<std::string> hashes;
  for (const MessageType * type : message_types()) {
    EXPECT_EQ(type->hash().size(), std::string("RIHS01_").size() + 64);
    EXPECT_TRUE(hashes.insert(type->hash()).second) << type->name();
  }
}

TEST(TypeHash, TellsKindsOfArraysApart)
{
  MessageMember field{};
  field.name_ = "data";
  field.type_id_ = introspection::ROS_TYPE_STRING;
  std::set<std::string> hashes{type_hash(message_with(field, "Kind"))};
  field.string_upper_bound_ = 4;  // string<=4
  hashes.insert(type_hash(message_with(field, "Kind")));
  field.is_array_ = true;  // string<=4[]
  hashes.insert(type_hash(message_with(field, "Kind")));
  field.array_size_ = 4;  // string<=4[4]
  hashes.insert(type_hash(message_with(field, "Kind")));
  field.is_upper_bound_ = true;  // string<=4[<=4]
  hashes.insert(type_hash(message_with(field, "Kind")));

  EXPECT_EQ(hashes.size(), 5u);
}

}  // namespace
}  // namespace mgproto::dds
