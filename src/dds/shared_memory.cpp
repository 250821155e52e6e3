// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "dds/shared_memory.hpp"

#include <fastrtps/config.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace mgproto::dds
{
namespace
{

// More than one, since others may be starting at the same moment.
constexpr uint64_t segments_to_have_room_for = 4;

// A segment is called fastrtps_ and 16 hex digits; a file beside it is locked by its owner.
constexpr std::string_view segment_prefix = "fastrtps_";
constexpr std::string_view lock_suffix = "_el";
constexpr size_t segment_name_size = segment_prefix.size() + 16;

bool is_segment_lock(const std::string & name)
{
  return name.size() == segment_name_size + lock_suffix.size() &&
         name.compare(0, segment_prefix.size(), segment_prefix) == 0 &&
         name.find_first_not_of("0123456789abcdef", segment_prefix.size()) == segment_name_size &&
         name.compare(segment_name_size, lock_suffix.size(), lock_suffix) == 0;
}

// Nobody holds the lock, nor will take it.
bool is_abandoned(const std::string & lock_file, std::chrono::seconds min_age)
{
  const int file = open(lock_file.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (file < 0) {
    return false;
  }
  struct stat status = {};
  const bool abandoned = fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
                         std::time(nullptr) - status.st_mtime >= min_age.count() &&
                         flock(file, LOCK_EX | LOCK_NB) == 0;
  close(file);
  return abandoned;
}

}  // namespace

bool has_room_for_segments(const std::string & directory)
{
  struct statvfs status = {};
  return statvfs(directory.c_str(), &status) == 0 &&
         static_cast<uint64_t>(status.f_bavail) * status.f_frsize >=
           segments_to_have_room_for * shared_memory_segment_size;
}

std::string other_fast_dds(const std::vector<std::string> & prefixes)
{
  const std::string own =
    std::to_string(FASTRTPS_VERSION_MAJOR) + "." + std::to_string(FASTRTPS_VERSION_MINOR);
  for (const std::string & prefix : prefixes) {
    std::error_code ignored;  // no such directory
    for (std::filesystem::directory_iterator entry(prefix + "/lib", ignored), end; entry != end;
         entry.increment(ignored)) {
      const std::string name = entry->path().filename();
      for (const std::string library : {"libfastrtps.so.", "libfastdds.so."}) {
        const std::string version = name.substr(std::min(library.size(), name.size()));
        if (name.rfind(library, 0) == 0 && version != own && version.rfind(own + ".", 0) != 0) {
          return entry->path();
        }
      }
    }
  }
  return "";
}

std::string shared_memory_problem()
{
  const char * value = std::getenv("FASTDDS_BUILTIN_TRANSPORTS");
  const std::string transports = value != nullptr ? value : "";
  if (transports == "UDPv4") {
    return "FASTDDS_BUILTIN_TRANSPORTS is UDPv4";
  }
  if (transports != "DEFAULT" && transports != "SHM") {
    std::vector<std::string> prefixes;
    std::error_code ignored;  // no ROS 2 here
    for (std::filesystem::directory_iterator entry("/opt/ros", ignored), end; entry != end;
         entry.increment(ignored)) {
      prefixes.push_back(entry->path());
    }
    if (const std::string other = other_fast_dds(prefixes); !other.empty()) {
      return other + ": another Fast DDS than this one, " FASTRTPS_VERSION_STR
                     ", which cannot share memory with it";
    }
  }
  return has_room_for_segments() ? ""
                                 : std::string(shared_memory_directory) + ": less than 64 MB free";
}

int remove_abandoned_segments(const std::string & directory, std::chrono::seconds min_age)
{
  int removed = 0;
  std::error_code ignored;  // of another user, or removed by somebody else meanwhile
  for (std::filesystem::directory_iterator entry(directory, ignored), end; entry != end;
       entry.increment(ignored)) {
    const std::string lock_file = entry->path();
    if (is_segment_lock(entry->path().filename()) && is_abandoned(lock_file, min_age)) {
      const std::string segment = lock_file.substr(0, lock_file.size() - lock_suffix.size());
      std::filesystem::remove(segment, ignored);
      removed += std::filesystem::remove(lock_file, ignored) ? 1 : 0;
    }
  }
  return removed;
}

}  // namespace mgproto::dds
