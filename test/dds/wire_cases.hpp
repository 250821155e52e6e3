// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DDS__WIRE_CASES_HPP_
#define DDS__WIRE_CASES_HPP_

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "dds/message_field.hpp"
#include "dds/message_type.hpp"

namespace mgproto::dds::test
{

/// A message as real ROS 2 Jazzy sent it.
struct WireCase
{
  const MessageType * type = nullptr;
  std::string hash;
  nlohmann::json value;  // fields that are left out have their default value
  std::vector<std::uint8_t> bytes;
};

/// Spaces are skipped.
inline std::vector<std::uint8_t> bytes_of_hex(std::string hex)
{
  hex.erase(std::remove(hex.begin(), hex.end(), ' '), hex.end());
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<std::uint8_t>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

inline std::vector<WireCase> wire_cases()
{
  std::ifstream file(MGPROTO_TEST_DATA "/ros2_wire.json");
  const nlohmann::json content = nlohmann::json::parse(file);
  std::vector<WireCase> cases;
  for (const auto & entry : content.at("cases")) {
    const std::string name = entry.at("type");
    WireCase wire_case;
    wire_case.type = find_message_type(name);
    if (!wire_case.type) {
      throw std::runtime_error("the program does not know " + name);
    }
    wire_case.hash = entry.at("type_hash");
    wire_case.value = entry.at("value");
    wire_case.bytes = bytes_of_hex(entry.at("cdr_hex"));
    cases.push_back(std::move(wire_case));
  }
  return cases;
}

inline void fill(const MessageMembers & members, const nlohmann::json & value, void * message);

inline void fill_value(const MessageMember & field, const nlohmann::json & value, void * data)
{
  if (field.type_id_ == introspection::ROS_TYPE_MESSAGE) {
    fill(nested_members(field), value, data);
  } else if (field.type_id_ == introspection::ROS_TYPE_STRING) {
    *static_cast<std::string *>(data) = value.get<std::string>();
  } else {
    as_primitive(field.type_id_, [&](auto zero) {
      *static_cast<decltype(zero) *>(data) = value.get<decltype(zero)>();
    });
  }
}

/// Sets the fields of a message that the value names.
inline void fill(const MessageMembers & members, const nlohmann::json & value, void * message)
{
  for (std::uint32_t i = 0; i < members.member_count_; ++i) {
    const MessageMember & field = members.members_[i];
    if (!value.contains(field.name_)) {
      continue;
    }
    void * const data = field_data(field, message);
    const nlohmann::json & content = value.at(field.name_);
    if (!field.is_array_) {
      fill_value(field, content, data);
      continue;
    }
    if (field.resize_function) {
      field.resize_function(data, content.size());
    }
    for (std::size_t j = 0; j < content.size(); ++j) {
      fill_value(field, content.at(j), field.get_function(data, j));
    }
  }
}

}  // namespace mgproto::dds::test

#endif  // DDS__WIRE_CASES_HPP_
