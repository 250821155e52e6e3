// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "dds/cdr.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>

#include "dds/message_field.hpp"

namespace mgproto::dds
{
namespace
{

static_assert(
  __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "messages are written in the machine's byte order");

constexpr std::size_t kHeaderBytes = 4;
constexpr std::uint8_t kBigEndian = 0;
constexpr std::uint8_t kLittleEndian = 1;
constexpr std::size_t kMaxPadding = 3;

[[noreturn]] void fail(
  const MessageType & type, const MessageMember * field, const std::string & problem)
{
  throw WireError(type.name() + ": " + (field ? std::string(field->name_) + ": " : "") + problem);
}

std::size_t primitive_size(const MessageMember & field)
{
  return as_primitive(field.type_id_, [](auto value) { return sizeof value; });
}

/// Bytes up to the next multiple of `alignment`, a power of two.
std::size_t padding(std::size_t position, std::size_t alignment)
{
  return (alignment - position % alignment) % alignment;
}

class Writer
{
public:
  Writer(const MessageType & type, std::vector<std::uint8_t> & buffer)
  : type_(type), buffer_(buffer)
  {
    buffer_.assign({0, kLittleEndian, 0, 0});
  }

  void message(const MessageMembers & members, const void * message)
  {
    for (std::uint32_t i = 0; i < members.member_count_; ++i) {
      field_ = &members.members_[i];
      if (field_->is_array_) {
        array(*field_, field_data(*field_, message));
      } else {
        value(*field_, field_data(*field_, message));
      }
    }
  }

private:
  void array(const MessageMember & field, const void * data)
  {
    const std::size_t count = field.size_function(data);
    if (!is_fixed_array(field)) {
      if (field.is_upper_bound_ && count > field.array_size_) {
        fail(
          type_, &field,
          std::to_string(count) + " elements, but the type allows only " +
            std::to_string(field.array_size_));
      }
      length(count);
    }
    if (count == 0) {
      return;
    }
    switch (field.type_id_) {
      case introspection::ROS_TYPE_BOOLEAN:  // vector<bool> holds no bytes to copy
        for (std::size_t i = 0; i < count; ++i) {
          bool element = false;
          field.fetch_function(data, i, &element);
          primitives(&element, 1, 1);
        }
        break;
      case introspection::ROS_TYPE_STRING:
      case introspection::ROS_TYPE_MESSAGE:
        for (std::size_t i = 0; i < count; ++i) {
          value(field, field.get_const_function(data, i));
        }
        break;
      default:
        primitives(field.get_const_function(data, 0), count, primitive_size(field));
    }
  }

  void value(const MessageMember & field, const void * data)
  {
    switch (field.type_id_) {
      case introspection::ROS_TYPE_MESSAGE:
        message(nested_members(field), data);
        break;
      case introspection::ROS_TYPE_STRING:
        text(field, *static_cast<const std::string *>(data));
        break;
      default:
        primitives(data, 1, primitive_size(field));
    }
  }

  void text(const MessageMember & field, const std::string & text)
  {
    if (field.string_upper_bound_ > 0 && text.size() > field.string_upper_bound_) {
      fail(
        type_, &field,
        "text of " + std::to_string(text.size()) + " bytes, but the type allows only " +
          std::to_string(field.string_upper_bound_));
    }
    length(text.size() + 1);
    primitives(text.c_str(), text.size() + 1, 1);
  }

  void length(std::size_t count)
  {
    if (count > std::numeric_limits<std::uint32_t>::max()) {
      fail(type_, field_, std::to_string(count) + " elements do not fit into a message");
    }
    const auto written = static_cast<std::uint32_t>(count);
    primitives(&written, 1, sizeof written);
  }

  void primitives(const void * from, std::size_t count, std::size_t size)
  {
    buffer_.resize(buffer_.size() + padding(buffer_.size() - kHeaderBytes, size));
    const auto * const bytes = static_cast<const std::uint8_t *>(from);
    buffer_.insert(buffer_.end(), bytes, bytes + count * size);
  }

  const MessageType & type_;
  const MessageMember * field_ = nullptr;  // for errors
  std::vector<std::uint8_t> & buffer_;
};

/// No message of these fields takes fewer bytes.
std::size_t smallest_size(const MessageMembers & members);

std::size_t smallest_element_size(const MessageMember & field)
{
  switch (field.type_id_) {
    case introspection::ROS_TYPE_MESSAGE:
      return smallest_size(nested_members(field));
    case introspection::ROS_TYPE_STRING:
      return sizeof(std::uint32_t);
    default:
      return primitive_size(field);
  }
}

std::size_t smallest_size(const MessageMembers & members)
{
  std::size_t size = 0;
  for (std::uint32_t i = 0; i < members.member_count_; ++i) {
    const MessageMember & field = members.members_[i];
    if (field.is_array_ && !is_fixed_array(field)) {
      size += sizeof(std::uint32_t);
    } else {
      size += smallest_element_size(field) * (field.is_array_ ? field.array_size_ : 1);
    }
  }
  return size;
}

class Reader
{
public:
  Reader(const MessageType & type, const std::uint8_t * data, std::size_t size) : type_(type)
  {
    if (size < kHeaderBytes) {
      fail(type_, nullptr, std::to_string(size) + " bytes, too few for any message");
    }
    if (data[0] != 0 || (data[1] != kLittleEndian && data[1] != kBigEndian)) {
      fail(
        type_, nullptr,
        "encoding " + std::to_string(data[0] << 8 | data[1]) +
          " is not supported, only plain CDR (0 and 1)");
    }
    swap_bytes_ = data[1] == kBigEndian;
    data_ = data + kHeaderBytes;
    size_ = size - kHeaderBytes;
  }

  void message(const MessageMembers & members, void * message)
  {
    for (std::uint32_t i = 0; i < members.member_count_; ++i) {
      field_ = &members.members_[i];
      if (field_->is_array_) {
        array(*field_, field_data(*field_, message));
      } else {
        value(*field_, field_data(*field_, message));
      }
    }
  }

  void finish()
  {
    if (left() > kMaxPadding) {
      fail(
        type_, nullptr,
        std::to_string(left()) +
          " bytes follow the message: the sender's type seems to be another");
    }
  }

private:
  void array(const MessageMember & field, void * data)
  {
    const std::size_t count = is_fixed_array(field) ? field.array_size_ : sequence_count(field);
    if (field.resize_function) {
      field.resize_function(data, count);
    }
    if (count == 0) {
      return;
    }
    switch (field.type_id_) {
      case introspection::ROS_TYPE_BOOLEAN:  // vector<bool> holds no bytes to copy
        for (std::size_t i = 0; i < count; ++i) {
          const bool element = boolean();
          field.assign_function(data, i, &element);
        }
        break;
      case introspection::ROS_TYPE_STRING:
      case introspection::ROS_TYPE_MESSAGE:
        for (std::size_t i = 0; i < count; ++i) {
          value(field, field.get_function(data, i));
        }
        break;
      default:
        primitives(field.get_function(data, 0), count, primitive_size(field));
    }
  }

  void value(const MessageMember & field, void * data)
  {
    switch (field.type_id_) {
      case introspection::ROS_TYPE_MESSAGE:
        message(nested_members(field), data);
        break;
      case introspection::ROS_TYPE_STRING:
        text(field, *static_cast<std::string *>(data));
        break;
      case introspection::ROS_TYPE_BOOLEAN:
        *static_cast<bool *>(data) = boolean();
        break;
      default:
        primitives(data, 1, primitive_size(field));
    }
  }

  /// Checked against the bytes that are left, so that it is safe to allocate as many.
  std::size_t sequence_count(const MessageMember & field)
  {
    const std::size_t count = length();
    if (field.is_upper_bound_ && count > field.array_size_) {
      fail(
        type_, &field,
        std::to_string(count) + " elements, but the type allows only " +
          std::to_string(field.array_size_));
    }
    if (count > left() / smallest_element_size(field)) {
      fail(
        type_, &field,
        std::to_string(count) + " elements do not fit into the " + std::to_string(left()) +
          " bytes that are left");
    }
    return count;
  }

  void text(const MessageMember & field, std::string & text)
  {
    const std::size_t size =
      length();  // counts the NUL; zero, which some senders write, is no text
    const std::uint8_t * const bytes = take(size, 1);
    if (size > 0 && bytes[size - 1] != 0) {
      fail(
        type_, &field, "text of " + std::to_string(size) + " bytes that does not end with a NUL");
    }
    const std::size_t characters = size > 0 ? size - 1 : 0;
    if (field.string_upper_bound_ > 0 && characters > field.string_upper_bound_) {
      fail(
        type_, &field,
        "text of " + std::to_string(characters) + " bytes, but the type allows only " +
          std::to_string(field.string_upper_bound_));
    }
    text.assign(reinterpret_cast<const char *>(bytes), characters);
  }

  bool boolean()
  {
    const std::uint8_t byte = *take(1, 1);
    if (byte > 1) {
      fail(type_, field_, "byte " + std::to_string(byte) + " is neither false (0) nor true (1)");
    }
    return byte == 1;
  }

  std::size_t length()
  {
    std::uint32_t count = 0;
    primitives(&count, 1, sizeof count);
    return count;
  }

  void primitives(void * to, std::size_t count, std::size_t size)
  {
    std::memcpy(to, take(count, size), count * size);
    if (swap_bytes_ && size > 1) {
      auto * const bytes = static_cast<std::uint8_t *>(to);
      for (std::size_t i = 0; i < count; ++i) {
        std::reverse(bytes + i * size, bytes + (i + 1) * size);
      }
    }
  }

  /// The next `count` values of `size` bytes each, aligned to it.
  const std::uint8_t * take(std::size_t count, std::size_t size)
  {
    const std::size_t skipped = padding(position_, size);
    if (skipped > left() || count > (left() - skipped) / size) {
      fail(
        type_, field_,
        "ends at byte " + std::to_string(kHeaderBytes + size_) + ", where " +
          std::to_string(count) + " values of " + std::to_string(size) +
          " bytes were expected from byte " + std::to_string(kHeaderBytes + position_ + skipped));
    }
    const std::uint8_t * const taken = data_ + position_ + skipped;
    position_ += skipped + count * size;
    return taken;
  }

  std::size_t left() const { return size_ - position_; }

  const MessageType & type_;
  const MessageMember * field_ = nullptr;  // for errors
  const std::uint8_t * data_ = nullptr;    // after the header
  std::size_t size_ = 0;
  std::size_t position_ = 0;
  bool swap_bytes_ = false;
};

}  // namespace

void serialize(const MessageType & type, const void * message, std::vector<std::uint8_t> & buffer)
{
  Writer(type, buffer).message(type.members(), message);
}

void deserialize(
  const MessageType & type, const std::uint8_t * data, std::size_t size, void * message)
{
  Reader reader(type, data, size);
  reader.message(type.members(), message);
  reader.finish();
}

}  // namespace mgproto::dds
