// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DDS__PAYLOAD_HPP_
#define DDS__PAYLOAD_HPP_

#include <cstddef>
#include <cstdint>
#include <memory>

namespace mgproto::dds
{

/// A serialised message as it travels: CDR with its 4-byte encapsulation header. `owner` keeps the
/// bytes alive; who holds a copy of it may use them for as long.
struct Payload
{
  const uint8_t * data = nullptr;
  size_t size = 0;
  std::shared_ptr<const void> owner;
};

}  // namespace mgproto::dds

#endif  // DDS__PAYLOAD_HPP_
