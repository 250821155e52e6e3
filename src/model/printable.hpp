// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__PRINTABLE_HPP_
#define MODEL__PRINTABLE_HPP_

#include <string>
#include <string_view>

namespace mgproto
{

/// Text from a file, fit for one line of an error: cut to a sensible length, and all but printable
/// ASCII replaced.
inline std::string printable(std::string_view text)
{
  constexpr std::size_t kMaxShown = 120;
  std::string line(text.substr(0, kMaxShown));
  for (char & c : line) {
    if (c < ' ' || c > '~') {
      c = '?';
    }
  }
  return text.size() > kMaxShown ? line + "..." : line;
}

}  // namespace mgproto

#endif  // MODEL__PRINTABLE_HPP_
