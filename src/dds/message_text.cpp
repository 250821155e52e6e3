// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "dds/message_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "dds/message_field.hpp"
#include "dds/utf8.hpp"
#include "dds/yaml_scalar.hpp"

namespace mgproto::dds
{
namespace
{

constexpr std::size_t kMaxBytesInJson = 64;

/// Calls `function` with the value of a field that is neither a string nor a message.
template <class Function>
auto with_primitive(const MessageMember & field, const void * data, Function && function)
{
  return as_primitive(field.type_id_, [&](auto value) {
    std::memcpy(&value, data, sizeof value);
    return function(value);
  });
}

/// Calls `function` with each of the first `count` elements of an array.
template <class Function>
void for_each_element(
  const MessageMember & field, const void * data, std::size_t count, Function && function)
{
  for (std::size_t i = 0; i < count; ++i) {
    if (field.type_id_ == introspection::ROS_TYPE_BOOLEAN) {
      bool element = false;  // the elements of vector<bool> have no address
      field.fetch_function(data, i, &element);
      function(static_cast<const void *>(&element));
    } else {
      function(field.get_const_function(data, i));
    }
  }
}

/// The name of a field's type, of its elements if it is an array, as in a .msg file.
std::string element_type_name(const MessageMember & field)
{
  switch (field.type_id_) {
    case introspection::ROS_TYPE_MESSAGE:
      return message_name(nested_members(field));
    case introspection::ROS_TYPE_STRING:
      return "string";
    case introspection::ROS_TYPE_BOOLEAN:
      return "boolean";
    case introspection::ROS_TYPE_OCTET:
      return "octet";
    case introspection::ROS_TYPE_FLOAT:
      return "float";
    case introspection::ROS_TYPE_DOUBLE:
      return "double";
    default:
      return as_primitive(field.type_id_, [](auto value) {
        return (std::is_signed_v<decltype(value)> ? "int" : "uint") +
               std::to_string(8 * sizeof value);
      });
  }
}

/// What stands for an array that is not shown.
std::string array_summary(const MessageMember & field, std::size_t count)
{
  const std::string name = element_type_name(field);
  if (is_fixed_array(field)) {
    return "<array type: " + name + "[" + std::to_string(count) + "]>";
  }
  const std::string bound =
    field.is_upper_bound_ ? "[" + std::to_string(field.array_size_) + "]" : "";
  return "<sequence type: " + name + bound + ", length: " + std::to_string(count) + ">";
}

/// At most `limit` characters, and then three dots; all of it if the limit is 0.
std::string truncated(const std::string & text, std::size_t limit)
{
  if (limit == 0) {
    return text;
  }
  std::size_t end = 0;
  for (std::size_t characters = 0; end < text.size(); ++characters) {
    if (characters == limit) {
      return text.substr(0, end) + "...";
    }
    end += utf8_character(text, end).bytes;
  }
  return text;
}

class YamlWriter
{
public:
  explicit YamlWriter(const TextOptions & options) : options_(options) {}

  void message(const MessageMembers & members, const void * message, std::size_t indent)
  {
    for (std::uint32_t i = 0; i < members.member_count_; ++i) {
      const MessageMember & field = members.members_[i];
      const void * const data = field_data(field, message);
      yaml_.append(indent, ' ') += field.name_;
      yaml_ += ":";
      if (field.is_array_) {
        array(field, data, indent);
      } else if (field.type_id_ == introspection::ROS_TYPE_MESSAGE) {
        yaml_ += "\n";
        this->message(nested_members(field), data, indent + 2);
      } else {
        yaml_ += " " + scalar(field, data) + "\n";
      }
    }
  }

  const std::string & yaml() const { return yaml_; }

private:
  void array(const MessageMember & field, const void * data, std::size_t indent)
  {
    const std::size_t count = field.size_function(data);
    if (options_.no_arrays) {
      yaml_ += " " + yaml_text(array_summary(field, count)) + "\n";
      return;
    }
    if (count == 0) {
      yaml_ += " []\n";
      return;
    }
    yaml_ += "\n";
    const std::size_t limit = options_.truncate_length;
    const std::size_t shown = limit == 0 ? count : std::min(count, limit);
    for_each_element(field, data, shown, [&](const void * element) {
      if (field.type_id_ == introspection::ROS_TYPE_MESSAGE) {
        const std::size_t start = yaml_.size();
        message(nested_members(field), element, indent + 2);
        yaml_[start + indent] = '-';
      } else {
        yaml_.append(indent, ' ') += "- " + scalar(field, element) + "\n";
      }
    });
    if (shown < count) {
      yaml_.append(indent, ' ') += "- '...'\n";
    }
  }

  std::string scalar(const MessageMember & field, const void * data)
  {
    if (field.type_id_ == introspection::ROS_TYPE_STRING) {
      return yaml_text(
        truncated(*static_cast<const std::string *>(data), options_.truncate_length));
    }
    if (field.type_id_ == introspection::ROS_TYPE_OCTET) {
      // ROS 2's `byte` is a text of one character to Python.
      const auto byte = *static_cast<const unsigned char *>(data);
      return yaml_text(std::string(1, static_cast<char>(byte)));
    }
    return with_primitive(field, data, [](auto value) -> std::string {
      if constexpr (std::is_same_v<decltype(value), bool>) {
        return value ? "true" : "false";
      } else if constexpr (std::is_floating_point_v<decltype(value)>) {
        return yaml_number(value);
      } else {
        return std::to_string(value);
      }
    });
  }

  TextOptions options_;
  std::string yaml_;
};

std::string valid_utf8(const std::string & text)
{
  std::string valid;
  valid.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const Utf8Character character = utf8_character(text, i);
    if (character.valid) {
      valid.append(text, i, character.bytes);
    } else {
      valid += "\xEF\xBF\xBD";  // U+FFFD
    }
    i += character.bytes;
  }
  return valid;
}

nlohmann::ordered_json message_json(const MessageMembers & members, const void * message);

nlohmann::ordered_json value_json(const MessageMember & field, const void * data)
{
  switch (field.type_id_) {
    case introspection::ROS_TYPE_MESSAGE:
      return message_json(nested_members(field), data);
    case introspection::ROS_TYPE_STRING:
      return valid_utf8(*static_cast<const std::string *>(data));
    default:
      return with_primitive(field, data, [](auto value) -> nlohmann::ordered_json {
        if constexpr (std::is_floating_point_v<decltype(value)>) {
          if (!std::isfinite(value)) {
            return nullptr;
          }
        }
        return value;
      });
  }
}

nlohmann::ordered_json array_json(const MessageMember & field, const void * data)
{
  const std::size_t count = field.size_function(data);
  const bool bytes = field.type_id_ == introspection::ROS_TYPE_UINT8 ||
                     field.type_id_ == introspection::ROS_TYPE_OCTET;
  if (bytes && count > kMaxBytesInJson) {
    return array_summary(field, count);
  }
  auto array = nlohmann::ordered_json::array();
  for_each_element(
    field, data, count, [&](const void * element) { array.push_back(value_json(field, element)); });
  return array;
}

nlohmann::ordered_json message_json(const MessageMembers & members, const void * message)
{
  auto object = nlohmann::ordered_json::object();
  for (std::uint32_t i = 0; i < members.member_count_; ++i) {
    const MessageMember & field = members.members_[i];
    const void * const data = field_data(field, message);
    object[field.name_] = field.is_array_ ? array_json(field, data) : value_json(field, data);
  }
  return object;
}

}  // namespace

std::string to_yaml(const MessageType & type, const void * message, const TextOptions & options)
{
  YamlWriter writer(options);
  writer.message(type.members(), message, 0);
  return writer.yaml();
}

nlohmann::ordered_json to_json(const MessageType & type, const void * message)
{
  return message_json(type.members(), message);
}

}  // namespace mgproto::dds
