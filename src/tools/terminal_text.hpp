// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TOOLS__TERMINAL_TEXT_HPP_
#define TOOLS__TERMINAL_TEXT_HPP_

#include <string>
#include <string_view>

namespace mgproto::tools
{

/// Columns that a terminal needs for the text, which must be valid UTF-8 without escape sequences.
int columns(std::string_view text);

/// The text itself if it fits into `width` columns, or its beginning and "...".
std::string cut(const std::string & text, int width);

/// The text, cut and filled up with spaces to `width` columns, on its right side or on its left.
std::string left_aligned(const std::string & text, int width);
std::string right_aligned(const std::string & text, int width);

}  // namespace mgproto::tools

#endif  // TOOLS__TERMINAL_TEXT_HPP_
