// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__NUMBER_TEXT_HPP_
#define MODEL__NUMBER_TEXT_HPP_

#include <charconv>
#include <string>
#include <utility>

namespace mgproto
{

/// With so many digits after the point; whatever the locale says, as all of these.
inline std::string fixed(double value, int digits)
{
  char text[512];
  const auto end =
    std::to_chars(text, text + sizeof(text), value, std::chars_format::fixed, digits).ptr;
  return std::string(text, end);
}

/// With so many significant digits, and an exponent where that is shorter: printf's %g.
inline std::string general(double value, int digits)
{
  char text[64];
  const auto end =
    std::to_chars(text, text + sizeof(text), value, std::chars_format::general, digits).ptr;
  return std::string(text, end);
}

/// Two numbers by `text(value, digits)`, with so many digits or as many more as it takes to see
/// that they differ: nothing shall read "-2.81 is below -2.81".
template <class Text>
std::pair<std::string, std::string> told_apart(
  double first, double second, int digits, const Text & text)
{
  constexpr int kMost = 17;  // tell any two doubles apart
  const bool differ = first < second || first > second;
  while (differ && digits < kMost && text(first, digits) == text(second, digits)) {
    ++digits;
  }
  return {text(first, digits), text(second, digits)};
}

/// 0.1234 as "12.3 %".
inline std::string percent(double share, int digits = 1)
{
  return fixed(100 * share, digits) + " %";
}

}  // namespace mgproto

#endif  // MODEL__NUMBER_TEXT_HPP_
