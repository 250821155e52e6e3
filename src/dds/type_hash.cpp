// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "dds/type_hash.hpp"

#include <map>

#include "dds/message_field.hpp"
#include "model/sha256.hpp"

namespace mgproto::dds
{
namespace
{

/// Type ids of type_description_interfaces/msg/FieldType.
int element_type_id(const MessageMember & field)
{
  switch (field.type_id_) {
    case introspection::ROS_TYPE_MESSAGE:
      return 1;
    case introspection::ROS_TYPE_INT8:
      return 2;
    case introspection::ROS_TYPE_UINT8:
      return 3;
    case introspection::ROS_TYPE_INT16:
      return 4;
    case introspection::ROS_TYPE_UINT16:
      return 5;
    case introspection::ROS_TYPE_INT32:
      return 6;
    case introspection::ROS_TYPE_UINT32:
      return 7;
    case introspection::ROS_TYPE_INT64:
      return 8;
    case introspection::ROS_TYPE_UINT64:
      return 9;
    case introspection::ROS_TYPE_FLOAT:
      return 10;
    case introspection::ROS_TYPE_DOUBLE:
      return 11;
    case introspection::ROS_TYPE_CHAR:
      return 13;
    case introspection::ROS_TYPE_BOOLEAN:
      return 15;
    case introspection::ROS_TYPE_OCTET:
      return 16;
    case introspection::ROS_TYPE_STRING:
      return field.string_upper_bound_ > 0 ? 21 : 17;
    default:
      throw Error(
        std::string(field.name_) +
        ": wide characters and long double are not supported in messages");
  }
}

int type_id(const MessageMember & field)
{
  constexpr int kArray = 48;
  constexpr int kBoundedSequence = 96;
  constexpr int kSequence = 144;
  const int element = element_type_id(field);
  if (!field.is_array_) {
    return element;
  }
  return element + (is_fixed_array(field)   ? kArray
                    : field.is_upper_bound_ ? kBoundedSequence
                                            : kSequence);
}

/// The description of one type, with the spaces and the order that the hash is defined over.
std::string describe(const MessageMembers & members)
{
  std::string fields;
  for (std::uint32_t i = 0; i < members.member_count_; ++i) {
    const MessageMember & field = members.members_[i];
    const bool nested = field.type_id_ == introspection::ROS_TYPE_MESSAGE;
    fields += fields.empty() ? "" : ", ";
    fields += R"({"name": ")" + std::string(field.name_) + R"(", "type": {"type_id": )" +
              std::to_string(type_id(field)) + R"(, "capacity": )" +
              std::to_string(field.array_size_) + R"(, "string_capacity": )" +
              std::to_string(field.string_upper_bound_) + R"(, "nested_type_name": ")" +
              (nested ? message_name(nested_members(field)) : "") + R"("}})";
  }
  return R"({"type_name": ")" + message_name(members) + R"(", "fields": [)" + fields + "]}";
}

/// The types inside a type, at any depth, by name.
void add_referenced(
  const MessageMembers & members, std::map<std::string, const MessageMembers *> & referenced)
{
  for (std::uint32_t i = 0; i < members.member_count_; ++i) {
    if (members.members_[i].type_id_ == introspection::ROS_TYPE_MESSAGE) {
      const MessageMembers & inner = nested_members(members.members_[i]);
      referenced.emplace(message_name(inner), &inner);
      add_referenced(inner, referenced);
    }
  }
}

}  // namespace

std::string type_hash(const MessageMembers & members)
{
  std::map<std::string, const MessageMembers *> referenced;
  add_referenced(members, referenced);
  std::string descriptions;
  for (const auto & [name, inner] : referenced) {
    descriptions += (descriptions.empty() ? "" : ", ") + describe(*inner);
  }
  const std::string description = R"({"type_description": )" + describe(members) +
                                  R"(, "referenced_type_descriptions": [)" + descriptions + "]}";
  return "RIHS01_" + sha256_hex(description.data(), description.size());
}

}  // namespace mgproto::dds
