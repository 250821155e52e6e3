// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/yaml_document.hpp"

#include <yaml-cpp/eventhandler.h>

#include <algorithm>
#include <cstdint>
#include <sstream>

namespace mgproto
{
namespace
{

int line_of(const YAML::Mark & mark) { return std::max(mark.line, 0) + 1; }

/// Refuses aliases and remembers where the last document began.
class Structure : public YAML::EventHandler
{
public:
  int document_line = 0;

  void OnDocumentStart(const YAML::Mark & mark) override { document_line = line_of(mark); }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark &, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark & mark, YAML::anchor_t) override
  {
    throw YamlError(line_of(mark), "an alias, which is not taken here");
  }
  void OnScalar(
    const YAML::Mark &, const std::string &, YAML::anchor_t, const std::string &) override
  {
  }
  void OnSequenceStart(
    const YAML::Mark &, const std::string &, YAML::anchor_t, YAML::EmitterStyle::value) override
  {
  }
  void OnSequenceEnd() override {}
  void OnMapStart(
    const YAML::Mark &, const std::string &, YAML::anchor_t, YAML::EmitterStyle::value) override
  {
  }
  void OnMapEnd() override {}
};

/// YAML::Load() ignores whatever follows the first document, even a lone comma or bracket that it
/// took for the end of one; YAML::LoadAll() never returns from those.
void check_structure(const std::string & text)
{
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  Structure structure;
  if (parser.HandleNextDocument(structure) && parser.HandleNextDocument(structure)) {
    throw YamlError(structure.document_line, "expected nothing behind the first YAML document");
  }
}

}  // namespace

YAML::Node parse_yaml(const std::string & text)
{
  const std::size_t bad = find_non_text(text);
  if (bad != std::string::npos) {
    const auto line = 1 + std::count(text.data(), text.data() + bad, '\n');
    throw YamlError(static_cast<int>(line), "not valid YAML: not UTF-8 text");
  }
  try {
    check_structure(text);
    return YAML::Load(text);
  } catch (const YAML::Exception & error) {
    throw YamlError(line_of(error.mark), "not valid YAML: " + error.msg);
  }
}

std::size_t find_non_text(std::string_view text)
{
  constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  for (std::size_t i = 0; i < text.size();) {
    const unsigned lead = static_cast<unsigned char>(text[i]);
    if (lead < 0x80) {
      if (lead < 0x20 && lead != '\t' && lead != '\n' && lead != '\r') {
        return i;
      }
      ++i;
      continue;
    }
    const std::size_t length = lead >= 0xF8 ? 0 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (length == 0 || lead < 0xC0 || length > text.size() - i) {
      return i;
    }
    std::uint32_t code = lead & (0x7Fu >> length);
    for (std::size_t k = 1; k < length; ++k) {
      const unsigned next = static_cast<unsigned char>(text[i + k]);
      if ((next & 0xC0) != 0x80) {
        return i;
      }
      code = code << 6 | (next & 0x3F);
    }
    if (code < kSmallest[length] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) {
      return i;
    }
    i += length;
  }
  return std::string_view::npos;
}

}  // namespace mgproto
