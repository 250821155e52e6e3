// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DDS__PAYLOAD_HPP_
#define DDS__PAYLOAD_HPP_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mgproto::dds
{

/// A serialised message as it travels: CDR with its 4-byte encapsulation header.
struct Payload
{
  const uint8_t * data = nullptr;
  size_t size = 0;
  std::vector<uint8_t> received;  ///< where a reader puts the bytes; used again for the next ones
};

}  // namespace mgproto::dds

#endif  // DDS__PAYLOAD_HPP_
