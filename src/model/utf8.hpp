// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__UTF8_HPP_
#define MODEL__UTF8_HPP_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace mgproto
{

inline constexpr std::uint32_t kReplacement = 0xFFFD;

struct CodePoint
{
  std::uint32_t value;
  std::size_t bytes;
};

/// The first code point of a text that is not empty; kReplacement and one byte if it is not UTF-8.
CodePoint first_code_point(std::string_view text);

bool is_utf8(std::string_view text);

/// Text from elsewhere, fit for a terminal: valid UTF-8 without control characters, which could
/// move the cursor or do worse. Each of them, and each byte that is not UTF-8, becomes U+FFFD.
std::string terminal_safe(std::string_view text);

}  // namespace mgproto

#endif  // MODEL__UTF8_HPP_
