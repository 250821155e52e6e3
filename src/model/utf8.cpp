// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/utf8.hpp"

namespace mgproto
{
namespace
{

/// C0 and C1 controls, line separators and what turns the direction of writing.
bool is_control(std::uint32_t value)
{
  return value <= 0x1F || (value >= 0x7F && value <= 0x9F) || value == 0x200E || value == 0x200F ||
         (value >= 0x2028 && value <= 0x202E) || (value >= 0x2066 && value <= 0x2069);
}

}  // namespace

CodePoint first_code_point(std::string_view text)
{
  const auto lead = static_cast<std::uint8_t>(text[0]);
  const std::size_t bytes = lead < 0x80           ? 1
                            : (lead >> 5) == 0x06 ? 2
                            : (lead >> 4) == 0x0E ? 3
                            : (lead >> 3) == 0x1E ? 4
                                                  : 0;
  if (bytes == 0 || bytes > text.size()) {
    return {kReplacement, 1};
  }
  std::uint32_t value = bytes == 1 ? lead : lead & (0x7Fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    const auto byte = static_cast<std::uint8_t>(text[i]);
    if ((byte >> 6) != 0x02) {
      return {kReplacement, 1};
    }
    value = (value << 6) | (byte & 0x3Fu);
  }
  constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value < kSmallest[bytes] || value > 0x10FFFF || surrogate) {
    return {kReplacement, 1};
  }
  return {value, bytes};
}

bool is_utf8(std::string_view text)
{
  while (!text.empty()) {
    const CodePoint point = first_code_point(text);
    if (point.value == kReplacement && point.bytes == 1) {
      return false;
    }
    text.remove_prefix(point.bytes);
  }
  return true;
}

std::string terminal_safe(std::string_view text)
{
  std::string safe;
  while (!text.empty()) {
    const CodePoint point = first_code_point(text);
    if (point.value == kReplacement || is_control(point.value)) {
      safe += "\xEF\xBF\xBD";
    } else {
      safe += text.substr(0, point.bytes);
    }
    text.remove_prefix(point.bytes);
  }
  return safe;
}

}  // namespace mgproto
