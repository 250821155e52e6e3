// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/terminal_text.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>

namespace mgproto::tools
{
namespace
{

constexpr std::uint32_t kReplacement = 0xFFFD;

struct CodePoint
{
  std::uint32_t value;
  std::size_t bytes;
};

/// The first code point of a text that is not empty; kReplacement and one byte if it is not UTF-8.
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

bool among(std::uint32_t value, std::initializer_list<std::pair<std::uint32_t, std::uint32_t>> all)
{
  return std::any_of(all.begin(), all.end(), [value](const auto & range) {
    return value >= range.first && value <= range.second;
  });
}

/// C0 and C1 controls, line separators and what turns the direction of writing.
bool is_control(std::uint32_t value)
{
  return among(
    value, {{0, 0x1F}, {0x7F, 0x9F}, {0x200E, 0x200F}, {0x2028, 0x202E}, {0x2066, 0x2069}});
}

/// Combining marks take no column, East Asian letters and pictures two. Not all of Unicode, but
/// what names are likely to have in them.
int columns_of(std::uint32_t value)
{
  if (among(value, {{0x0300, 0x036F}, {0x200B, 0x200D}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}})) {
    return 0;
  }
  const bool wide = among(
    value, {{0x1100, 0x115F},
            {0x2E80, 0xA4CF},
            {0xAC00, 0xD7A3},
            {0xF900, 0xFAFF},
            {0xFE30, 0xFE6F},
            {0xFF00, 0xFF60},
            {0xFFE0, 0xFFE6},
            {0x1F300, 0x1FAFF},
            {0x20000, 0x3FFFD}});
  return wide ? 2 : 1;
}

/// As much of the beginning as fits into `width` columns.
std::string_view beginning(std::string_view text, int width)
{
  std::size_t end = 0;
  while (end < text.size()) {
    const CodePoint point = first_code_point(text.substr(end));
    width -= columns_of(point.value);
    if (width < 0) {
      break;
    }
    end += point.bytes;
  }
  return text.substr(0, end);
}

}  // namespace

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

int columns(std::string_view text)
{
  int sum = 0;
  while (!text.empty()) {
    const CodePoint point = first_code_point(text);
    sum += columns_of(point.value);
    text.remove_prefix(point.bytes);
  }
  return sum;
}

std::string cut(const std::string & text, int width)
{
  if (columns(text) <= width) {
    return text;
  }
  const std::string dots = "...";
  const int room = width - columns(dots);
  return room > 0 ? std::string(beginning(text, room)) + dots
                  : std::string(beginning(text, std::max(width, 0)));
}

std::string left_aligned(const std::string & text, int width)
{
  const std::string shown = cut(text, width);
  return shown + std::string(static_cast<std::size_t>(std::max(width - columns(shown), 0)), ' ');
}

std::string right_aligned(const std::string & text, int width)
{
  const std::string shown = cut(text, width);
  return std::string(static_cast<std::size_t>(std::max(width - columns(shown), 0)), ' ') + shown;
}

}  // namespace mgproto::tools
