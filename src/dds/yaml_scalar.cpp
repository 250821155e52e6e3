// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "dds/yaml_scalar.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "dds/utf8.hpp"

namespace mgproto::dds
{
namespace
{

/// Whether YAML allows the character as it is.
bool is_printable(const Utf8Character & character)
{
  const char32_t code = character.code;
  return character.valid && code >= 0x20 && !(code >= 0x7F && code < 0xA0) && code != 0x2028 &&
         code != 0x2029 && code != 0xFEFF && code != 0xFFFE && code != 0xFFFF;
}

bool is_printable(const std::string & text)
{
  for (std::size_t i = 0; i < text.size();) {
    const Utf8Character character = utf8_character(text, i);
    if (!is_printable(character)) {
      return false;
    }
    i += character.bytes;
  }
  return true;
}

/// Whether the text has characters that mean something to YAML where they are.
bool has_indicators(std::string_view text)
{
  constexpr std::string_view kNotFirst = "#,[]{}&*!|>'\"%@`";
  constexpr std::string_view kNotFirstBeforeSpace = "?-";
  const std::string_view begin = text.substr(0, 3);
  return text.front() == ' ' || text.back() == ' ' || text.back() == ':' ||
         kNotFirst.find(text.front()) != std::string_view::npos ||
         (kNotFirstBeforeSpace.find(text.front()) != std::string_view::npos &&
          (text.size() == 1 || text[1] == ' ')) ||
         begin == "---" || begin == "..." || text.find(": ") != std::string_view::npos ||
         text.find(" #") != std::string_view::npos;
}

bool consists_of(std::string_view text, std::string_view characters)
{
  return text.find_first_not_of(characters) == std::string_view::npos;
}

/// Whether YAML 1.1 might read the text as a number, a date or a time.
bool resembles_number(std::string_view text)
{
  constexpr std::string_view kDigits = "0123456789";
  if (text.front() == '+' || text.front() == '-') {
    text.remove_prefix(1);
  }
  if (text.empty()) {
    return false;
  }
  if (text.size() == 4 && text.front() == '.' && consists_of(text.substr(1), "infaINFA")) {
    return true;
  }
  if (text.substr(0, 2) == "0x" || text.substr(0, 2) == "0b") {
    return consists_of(text.substr(2), "0123456789abcdefABCDEF_");
  }
  return (text.front() == '.' || kDigits.find(text.front()) != std::string_view::npos) &&
         text.find_first_of(kDigits) != std::string_view::npos &&
         consists_of(text, "0123456789.:_+-eETtZ ");
}

/// Whether YAML 1.1 would read the text as a truth value, as nothing, or as one of its keys.
bool reads_as_keyword(std::string_view text)
{
  constexpr std::array<std::string_view, 24> kKeywords{
    "yes", "Yes", "YES", "no",  "No",  "NO",  "true", "True", "TRUE", "false", "False", "FALSE",
    "on",  "On",  "ON",  "off", "Off", "OFF", "~",    "null", "Null", "NULL",  "<<",    "="};
  for (const std::string_view keyword : kKeywords) {
    if (text == keyword) {
      return true;
    }
  }
  return false;
}

std::string single_quoted(const std::string & text)
{
  std::string quoted = "'";
  for (const char c : text) {
    quoted += c;
    if (c == '\'') {
      quoted += c;
    }
  }
  return quoted + "'";
}

std::string escaped(char32_t code)
{
  switch (code) {
    case 0:
      return "\\0";
    case '\a':
      return "\\a";
    case '\b':
      return "\\b";
    case '\t':
      return "\\t";
    case '\n':
      return "\\n";
    case '\v':
      return "\\v";
    case '\f':
      return "\\f";
    case '\r':
      return "\\r";
    case 0x1B:
      return "\\e";
    default:
      break;
  }
  std::array<char, 8> digits{};
  const char * const format = code <= 0xFF ? "\\x%02X" : "\\u%04X";
  std::snprintf(digits.data(), digits.size(), format, static_cast<unsigned>(code));
  return digits.data();
}

std::string double_quoted(const std::string & text)
{
  std::string quoted = "\"";
  for (std::size_t i = 0; i < text.size();) {
    const Utf8Character character = utf8_character(text, i);
    if (character.code == '"' || character.code == '\\') {
      quoted += '\\';
      quoted += text[i];
    } else if (is_printable(character)) {
      quoted += text.substr(i, character.bytes);
    } else {
      quoted += escaped(character.code);
    }
    i += character.bytes;
  }
  return quoted + "\"";
}

}  // namespace

std::string yaml_text(const std::string & text)
{
  if (!is_printable(text)) {
    return double_quoted(text);
  }
  if (text.empty() || has_indicators(text) || resembles_number(text) || reads_as_keyword(text)) {
    return single_quoted(text);
  }
  return text;
}

std::string yaml_number(double number)
{
  if (std::isnan(number)) {
    return ".nan";
  }
  if (std::isinf(number)) {
    return number > 0 ? ".inf" : "-.inf";
  }
  std::array<char, 32> buffer{};
  const auto result = std::to_chars(
    buffer.data(), buffer.data() + buffer.size(), number, std::chars_format::scientific);
  const std::string scientific(buffer.data(), result.ptr);
  const std::size_t e = scientific.find('e');
  const int exponent = std::atoi(scientific.c_str() + e + 1);
  // Where Python changes to exponents.
  if (exponent < -4 || exponent >= 16) {
    const bool has_point = scientific.find('.') != std::string::npos;
    return has_point ? scientific : scientific.substr(0, e) + ".0" + scientific.substr(e);
  }
  const auto fixed_end =
    std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, std::chars_format::fixed);
  const std::string fixed(buffer.data(), fixed_end.ptr);
  return fixed.find('.') != std::string::npos ? fixed : fixed + ".0";
}

}  // namespace mgproto::dds
