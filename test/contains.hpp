// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef CONTAINS_HPP_
#define CONTAINS_HPP_

#include <string>

namespace mgproto
{

inline bool contains(const std::string & text, const std::string & part)
{
  return text.find(part) != std::string::npos;
}

}  // namespace mgproto

#endif  // CONTAINS_HPP_
