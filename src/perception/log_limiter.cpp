// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "perception/log_limiter.hpp"

namespace mgproto::perception
{

bool LogLimiter::allows(int camera, const std::string & kind, Clock::time_point now)
{
  // Kinds are few, unless what strangers sent has become part of one.
  constexpr std::size_t kMostFaults = 256;
  const std::lock_guard lock(mutex_);
  const auto known = faults_.find({camera, kind});
  if (known == faults_.end()) {
    if (faults_.size() >= kMostFaults) {
      return false;
    }
    faults_[{camera, kind}] = {now, false};
    return true;
  }
  Fault & fault = known->second;
  if (!fault.recovered || now - fault.logged < kPause) {
    return false;
  }
  fault = {now, false};
  return true;
}

void LogLimiter::recovered(int camera)
{
  const std::lock_guard lock(mutex_);
  for (auto & [key, fault] : faults_) {
    if (key.first == camera) {
      fault.recovered = true;
    }
  }
}

}  // namespace mgproto::perception
