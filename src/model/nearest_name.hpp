// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__NEAREST_NAME_HPP_
#define MODEL__NEAREST_NAME_HPP_

#include <string>
#include <vector>

namespace mgproto
{

/// The known dotted name that an unknown one was most likely meant to be: one that it begins or
/// goes on, that is spelled like it, or that has its last part under another prefix. Empty
/// if nothing is known.
std::string nearest_name(const std::string & name, const std::vector<std::string> & known);

}  // namespace mgproto

#endif  // MODEL__NEAREST_NAME_HPP_
