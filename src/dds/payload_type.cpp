// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "dds/payload_type.hpp"

#include <cstring>
#include <new>

#include "dds/payload.hpp"

namespace mgproto::dds
{
namespace
{

// Only where the history's buffers start; they grow to the largest message.
constexpr uint32_t first_buffer_size = 1024;

}  // namespace

PayloadType::PayloadType(const std::string & dds_type_name)
{
  setName(dds_type_name.c_str());
  m_typeSize = first_buffer_size;
  m_isGetKeyDefined = false;
  auto_fill_type_object(false);
  auto_fill_type_information(false);
}

bool PayloadType::serialize(void * data, eprosima::fastrtps::rtps::SerializedPayload_t * serialized)
{
  const auto & payload = *static_cast<const Payload *>(data);
  if (
    payload.size < serialized->representation_header_size || payload.size > serialized->max_size) {
    return false;
  }
  std::memcpy(serialized->data, payload.data, payload.size);
  serialized->length = static_cast<uint32_t>(payload.size);
  serialized->encapsulation = payload.data[1];
  return true;
}

bool PayloadType::deserialize(
  eprosima::fastrtps::rtps::SerializedPayload_t * serialized, void * data)
{
  auto & payload = *static_cast<Payload *>(data);
  if (payload.received.size() < serialized->length) {
    try {
      payload.received.resize(serialized->length);
    } catch (const std::bad_alloc &) {
      return false;
    }
  }
  std::memcpy(payload.received.data(), serialized->data, serialized->length);
  payload.data = payload.received.data();
  payload.size = serialized->length;
  return true;
}

std::function<uint32_t()> PayloadType::getSerializedSizeProvider(void * data)
{
  return [data]() { return static_cast<uint32_t>(static_cast<const Payload *>(data)->size); };
}

void * PayloadType::createData() { return new Payload; }

void PayloadType::deleteData(void * data) { delete static_cast<Payload *>(data); }

bool PayloadType::getKey(void *, eprosima::fastrtps::rtps::InstanceHandle_t *, bool)
{
  return false;  // ROS 2's topics have no keys
}

}  // namespace mgproto::dds
