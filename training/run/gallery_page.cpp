// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/run/gallery_page.hpp"

#include "training/run/base64.hpp"

namespace mgproto
{
namespace
{

// The page must work without a network, so it may not even ask for one. The pictures are on white
// paper in either colour scheme.
constexpr const char * kHead = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<style>
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --ink: #1f2937; --faint: #5f6877; --rule: #dfe3e8;
}
@media (prefers-color-scheme: dark) {
  :root { --page: #0f1319; --ink: #e3e7ed; --faint: #97a1b0; --rule: #2c3542; }
}
* { box-sizing: border-box; }
body {
  max-width: 1212px; margin: 0 auto; padding: 1rem 1rem 4rem;
  background: var(--page); color: var(--ink);
  font: 15px/1.45 system-ui, "Segoe UI", Roboto, "Liberation Sans", sans-serif;
}
h1 { margin: 0; font-size: 1.35rem; overflow-wrap: anywhere; }
h2 { margin: 2.2rem 0 .6rem; font-size: 1.15rem; overflow-wrap: anywhere; }
p { margin: .2rem 0 .6rem; color: var(--faint); overflow-wrap: anywhere; }
nav { display: flex; flex-wrap: wrap; gap: .1rem 1rem; }
nav a { color: var(--faint); }
nav a:hover, nav a:focus { color: var(--ink); }
img {
  display: block; max-width: 100%; height: auto; margin: 0 0 1rem;
  background: #ffffff; border: 1px solid var(--rule); border-radius: 8px;
}
</style>
)";

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

std::string id_of(std::size_t section) { return "section-" + std::to_string(section); }

}  // namespace

std::string gallery_page(
  const std::string & title, const std::string & summary, const std::vector<PageSection> & sections)
{
  std::string page = kHead;
  page += "<title>" + escaped(title) + "</title>\n</head>\n<body>\n<header>\n<h1>" +
          escaped(title) + "</h1>\n<p>" + escaped(summary) +
          "</p>\n<nav aria-label=\"Sections\">\n";
  for (std::size_t i = 0; i < sections.size(); ++i) {
    page += "<a href=\"#" + id_of(i) + "\">" + escaped(sections[i].heading) + "</a>\n";
  }
  page += "</nav>\n</header>\n<main>\n";
  for (std::size_t i = 0; i < sections.size(); ++i) {
    page += "<section id=\"" + id_of(i) + "\">\n<h2>" + escaped(sections[i].heading) + "</h2>\n";
    for (const PagePicture & picture : sections[i].pictures) {
      page += "<img alt=\"" + escaped(picture.description) +
              "\" decoding=\"async\" src=\"data:image/png;base64,";
      page += base64(picture.png);
      page += "\">\n";
    }
    page += "</section>\n";
  }
  return page + "</main>\n</body>\n</html>\n";
}

}  // namespace mgproto
