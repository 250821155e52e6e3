// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__DEVICE_NAME_HPP_
#define MODEL__DEVICE_NAME_HPP_

#include <string>

namespace mgproto
{

inline constexpr const char * kDeviceNames = "auto, cpu, cuda or cuda:N";

/// Whether it is one of them, wherever such a device may be.
inline bool is_device_name(const std::string & name)
{
  if (name.rfind("cuda:", 0) != 0) {
    return name == "auto" || name == "cpu" || name == "cuda";
  }
  const std::string digits = name.substr(5);
  return !digits.empty() && digits.size() <= 3 &&
         digits.find_first_not_of("0123456789") == std::string::npos;
}

}  // namespace mgproto

#endif  // MODEL__DEVICE_NAME_HPP_
