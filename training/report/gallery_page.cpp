// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/report/gallery_page.hpp"

#include "report_page.hpp"  // generated from training/report/page by cmake/Embed.cmake
#include "training/report/base64.hpp"
#include "training/report/fill_page.hpp"

namespace mgproto
{
namespace
{

std::string escaped(const std::string & text)
{
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

}  // namespace

std::string gallery_page(
  const std::string & title, const std::string & summary, const std::vector<PageSection> & sections)
{
  std::string contents;
  std::string body;
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const std::string id = "section-" + std::to_string(i);
    const std::string heading = escaped(sections[i].heading);
    contents += "<a href=\"#" + id + "\">" + heading + "</a>\n";
    body += "<section id=\"" + id + "\">\n<h2>" + heading + "</h2>\n";
    for (const PagePicture & picture : sections[i].pictures) {
      body += "<img alt=\"" + escaped(picture.description) +
              "\" decoding=\"async\" src=\"data:image/png;base64," + base64(picture.png) + "\">\n";
    }
    body += "</section>\n";
  }
  std::string page;
  const std::string title_text = escaped(title);
  const std::string summary_text = escaped(summary);
  for (const std::string_view part : fill_page(
         report_page::gallery_html, {{"common_style", report_page::common_css},
                                     {"title", title_text},
                                     {"summary", summary_text},
                                     {"contents", contents},
                                     {"sections", body}})) {
    page += part;
  }
  return page;
}

}  // namespace mgproto
