// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__REPORT__FILL_PAGE_HPP_
#define TRAINING__REPORT__FILL_PAGE_HPP_

#include <map>
#include <string_view>
#include <vector>

namespace mgproto
{

/// The parts of a page with each {{name}} replaced. What is filled in is never searched for names, and
/// must live as long as the parts.
inline std::vector<std::string_view> fill_page(
  std::string_view page, const std::map<std::string_view, std::string_view> & values)
{
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t begin = page.find("{{");
    if (begin == std::string_view::npos) {
      parts.push_back(page);
      return parts;
    }
    const std::size_t end = page.find("}}", begin);
    parts.push_back(page.substr(0, begin));
    parts.push_back(values.at(page.substr(begin + 2, end - begin - 2)));
    page.remove_prefix(end + 2);
  }
}

}  // namespace mgproto

#endif  // TRAINING__REPORT__FILL_PAGE_HPP_
