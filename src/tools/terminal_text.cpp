// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/terminal_text.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>

#include "model/utf8.hpp"

namespace mgproto::tools
{
namespace
{

bool among(std::uint32_t value, std::initializer_list<std::pair<std::uint32_t, std::uint32_t>> all)
{
  return std::any_of(all.begin(), all.end(), [value](const auto & range) {
    return value >= range.first && value <= range.second;
  });
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
