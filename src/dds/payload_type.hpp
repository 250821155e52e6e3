// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DDS__PAYLOAD_TYPE_HPP_
#define DDS__PAYLOAD_TYPE_HPP_

#include <fastdds/dds/topic/TopicDataType.hpp>
#include <string>

namespace mgproto::dds
{

/// Tells Fast DDS to carry the bytes of a `Payload` as they are, so that one class serves all types.
/// Written samples are borrowed; read ones are copied into memory of their own.
class PayloadType : public eprosima::fastdds::dds::TopicDataType
{
public:
  explicit PayloadType(const std::string & dds_type_name);

  bool serialize(void * data, eprosima::fastrtps::rtps::SerializedPayload_t * serialized) override;
  bool deserialize(
    eprosima::fastrtps::rtps::SerializedPayload_t * serialized, void * data) override;
  std::function<uint32_t()> getSerializedSizeProvider(void * data) override;
  void * createData() override;
  void deleteData(void * data) override;
  bool getKey(
    void * data, eprosima::fastrtps::rtps::InstanceHandle_t * handle, bool force_md5) override;
};

}  // namespace mgproto::dds

#endif  // DDS__PAYLOAD_TYPE_HPP_
