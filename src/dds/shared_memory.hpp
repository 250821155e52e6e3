// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DDS__SHARED_MEMORY_HPP_
#define DDS__SHARED_MEMORY_HPP_

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

/// Care for the directory through which nodes of one machine exchange messages. Fast DDS takes its
/// segments without asking how much room is left, and a killed program leaves its own behind.
namespace mgproto::dds
{

inline constexpr const char * shared_memory_directory = "/dev/shm";

/// Of each node. Several camera images must fit, or the sender waits for the reader: with Fast DDS's
/// own 512 KB an image of 640x480 takes 11 ms instead of 0.8 ms.
inline constexpr uint32_t shared_memory_segment_size = 16 * 1024 * 1024;

/// Whether a few more nodes may take a segment. Where there is none, a node that did would be ended
/// by a bus error; containers often have 64 MB for all.
bool has_room_for_segments(const std::string & directory = shared_memory_directory);

/// A library below one of the prefixes (/opt/ros/jazzy) that is Fast DDS of another version; empty if
/// there is none. Versions read each other's segments wrongly, and end each other.
std::string other_fast_dds(const std::vector<std::string> & prefixes);

/// Why messages to nodes of this machine had better go over UDP; empty if nothing speaks against shared
/// memory. FASTDDS_BUILTIN_TRANSPORTS, as later versions of Fast DDS know it, decides where another
/// version is installed: UDPv4 is never shared memory, DEFAULT or SHM that nobody uses the other one.
std::string shared_memory_problem();

/// Removes segments whose owner is dead, as Fast DDS's own tool does: a living one holds a lock.
/// Those younger than `min_age` may be about to be locked and are left alone. Returns how many.
int remove_abandoned_segments(
  const std::string & directory = shared_memory_directory,
  std::chrono::seconds min_age = std::chrono::seconds(10));

}  // namespace mgproto::dds

#endif  // DDS__SHARED_MEMORY_HPP_
