// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__TENSOR_BYTES_HPP_
#define MODEL__TENSOR_BYTES_HPP_

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/dtype.hpp"

static_assert(
  __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "weight files are little-endian and used as they are");

namespace mgproto
{

inline constexpr std::size_t kMaxDimensions = 64;  // what tensor libraries can handle

/// Bytes of a dense tensor, or nothing if a size is negative or they do not fit 63 bits. Sizes of
/// zero count as one for the overflow, so that strides can be computed without checks.
inline std::optional<std::uint64_t> tensor_bytes(
  DType dtype, const std::vector<std::int64_t> & shape)
{
  auto product = static_cast<std::int64_t>(size_of(dtype));
  bool has_zero = false;
  for (const std::int64_t size : shape) {
    has_zero |= size == 0;
    if (size < 0 || __builtin_mul_overflow(product, std::max<std::int64_t>(size, 1), &product)) {
      return std::nullopt;
    }
  }
  return has_zero ? 0 : static_cast<std::uint64_t>(product);
}

}  // namespace mgproto

#endif  // MODEL__TENSOR_BYTES_HPP_
