// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/nearest_name.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace mgproto
{
namespace
{

/// Edits that turn one text into the other (Levenshtein).
std::size_t edits(const std::string & from, const std::string & to)
{
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t replaced = diagonal + (from[i] == to[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

std::string last_part(const std::string & name) { return name.substr(name.rfind('.') + 1); }

std::size_t effort(const std::string & name, const std::string & known)
{
  const bool is_beginning = known.compare(0, name.size(), name) == 0;
  const bool goes_on = name.compare(0, known.size() + 1, known + ".") == 0;
  if (is_beginning || goes_on) {
    return 1;
  }
  return std::min(edits(name, known), 1 + edits(last_part(name), last_part(known)));
}

}  // namespace

std::string nearest_name(const std::string & name, const std::vector<std::string> & known)
{
  const auto nearest =
    std::min_element(known.begin(), known.end(), [&](const std::string & a, const std::string & b) {
      return effort(name, a) < effort(name, b);
    });
  return nearest == known.end() ? "" : *nearest;
}

}  // namespace mgproto
