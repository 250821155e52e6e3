// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__SAFETENSORS_HEADER_HPP_
#define MODEL__SAFETENSORS_HEADER_HPP_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/dtype.hpp"

namespace mgproto
{

/// The reference implementation's limit.
inline constexpr std::size_t kMaxHeaderBytes = 100'000'000;
inline constexpr const char * kMetadataKey = "__metadata__";

/// What the header says of one tensor.
struct SafetensorsEntry
{
  std::optional<DType> dtype;          ///< always there once the header is parsed
  std::vector<std::int64_t> shape;     ///< at most kMaxDimensions, none negative
  std::vector<std::uint64_t> offsets;  ///< begin and end, from the start of the data section
};

struct SafetensorsHeader
{
  std::map<std::string, std::string> metadata;
  std::map<std::string, SafetensorsEntry> tensors;
};

/// Parses the header's JSON: complete entries, nothing twice and nothing else. Whether the offsets
/// make sense is not looked at. Throws FileError.
SafetensorsHeader parse_safetensors_header(const std::string & path, std::string_view json);

/// The beginning of a message about a tensor.
std::string about_tensor(const std::string & name);

}  // namespace mgproto

#endif  // MODEL__SAFETENSORS_HEADER_HPP_
