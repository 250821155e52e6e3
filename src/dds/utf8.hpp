// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DDS__UTF8_HPP_
#define DDS__UTF8_HPP_

#include <cstddef>
#include <string_view>

namespace mgproto::dds
{

/// One character of a text that says it is UTF-8.
struct Utf8Character
{
  char32_t code = 0;
  std::size_t bytes = 1;
  bool valid = false;  // if not, `code` is the one byte that is no part of a character
};

/// The character that begins at byte `at`, which must be in the text.
inline Utf8Character utf8_character(std::string_view text, std::size_t at)
{
  const auto byte = [text, at](std::size_t i) {
    return static_cast<unsigned char>(at + i < text.size() ? text[at + i] : 0);
  };
  const unsigned char first = byte(0);
  const Utf8Character invalid{first, 1, false};
  if (first < 0x80) {
    return {first, 1, true};
  }
  const std::size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4) {
    return invalid;
  }
  char32_t code = first & (0x7F >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) {
      return invalid;
    }
    code = code << 6 | (byte(i) & 0x3F);
  }
  const bool longer_than_needed = code < (bytes == 4 ? 0x10000 : bytes == 3 ? 0x800 : 0x80);
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (longer_than_needed || surrogate || code > 0x10FFFF) {
    return invalid;
  }
  return {code, bytes, true};
}

}  // namespace mgproto::dds

#endif  // DDS__UTF8_HPP_
