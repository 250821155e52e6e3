// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "bench/process_memory.hpp"

#include <malloc.h>

#include <fstream>
#include <string>

#include "mgproto_ros/error.hpp"

namespace mgproto::bench
{
namespace
{

constexpr const char * kStatus = "/proc/self/status";

double megabytes_of(const std::string & field)
{
  std::ifstream file(kStatus);
  for (std::string line; std::getline(file, line);) {
    if (line.rfind(field + ":", 0) == 0) {
      return std::stod(line.substr(field.size() + 1)) / 1024;
    }
  }
  throw FileError(kStatus, "has no " + field);
}

}  // namespace

double resident_megabytes() { return megabytes_of("VmRSS"); }
double peak_megabytes() { return megabytes_of("VmHWM"); }

void begin_peak()
{
  constexpr const char * kClear = "/proc/self/clear_refs";
  malloc_trim(0);
  std::ofstream file(kClear);
  file << "5" << std::flush;  // what proc(5) gives for "reset VmHWM"
  if (!file) {
    throw FileError(kClear, "cannot be written, so peak memory cannot be measured");
  }
}

}  // namespace mgproto::bench
