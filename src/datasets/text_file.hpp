// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DATASETS__TEXT_FILE_HPP_
#define DATASETS__TEXT_FILE_HPP_

#include <charconv>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "mgproto_ros/error.hpp"

namespace mgproto
{

/// A line of a list, so that an error can name it.
struct TextLine
{
  std::string text;
  int number = 0;  ///< from 1
};

inline FileError bad_line(
  const std::filesystem::path & file, const TextLine & line, const std::string & problem)
{
  return FileError(file.string(), "line " + std::to_string(line.number) + ": " + problem);
}

/// All lines that are not blank, without a byte-order mark and carriage returns.
inline std::vector<TextLine> read_lines(const std::filesystem::path & file)
{
  std::ifstream stream(file);
  if (!stream || std::filesystem::is_directory(file)) {
    throw FileError(file.string(), "cannot be read");
  }
  std::vector<TextLine> lines;
  std::string text;
  for (int number = 1; std::getline(stream, text); ++number) {
    if (number == 1 && text.compare(0, 3, "\xEF\xBB\xBF") == 0) {
      text.erase(0, 3);
    }
    if (!text.empty() && text.back() == '\r') {
      text.pop_back();
    }
    if (text.find_first_not_of(" \t") != std::string::npos) {
      lines.push_back({text, number});
    }
  }
  if (stream.bad()) {
    throw FileError(file.string(), "cannot be read");
  }
  return lines;
}

/// A field of a CSV line that holds any text, as RFC 4180 writes it.
inline std::string csv_field(const std::string & text)
{
  std::string field = "\"";
  for (const char letter : text) {
    field += letter == '"' ? "\"\"" : std::string(1, letter);
  }
  return field + "\"";
}

/// Whether the whole text is a number, independent of the locale.
template <typename Number>
bool parse_number(std::string_view text, Number & value)
{
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  return result.ec == std::errc() && result.ptr == text.data() + text.size();
}

}  // namespace mgproto

#endif  // DATASETS__TEXT_FILE_HPP_
