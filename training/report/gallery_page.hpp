// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__REPORT__GALLERY_PAGE_HPP_
#define TRAINING__REPORT__GALLERY_PAGE_HPP_

#include <cstdint>
#include <string>
#include <vector>

namespace mgproto
{

struct PagePicture
{
  std::string description;  ///< for those who do not see it
  std::vector<std::uint8_t> png;
};

/// A heading and what stands below it.
struct PageSection
{
  std::string heading;
  std::vector<PagePicture> pictures;
};

/// One HTML page that needs no network and no other file. Any text may stand in it.
std::string gallery_page(
  const std::string & title, const std::string & summary,
  const std::vector<PageSection> & sections);

}  // namespace mgproto

#endif  // TRAINING__REPORT__GALLERY_PAGE_HPP_
