// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__DTYPE_HPP_
#define MODEL__DTYPE_HPP_

#include <cstddef>
#include <optional>
#include <string>

namespace mgproto
{

/// The element types that weight files hold.
enum class DType
{
  f16,
  bf16,
  f32,
  f64,
  u8,
  i8,
  i16,
  i32,
  i64,
  boolean
};

/// Bytes of one element.
inline std::size_t size_of(DType dtype)
{
  switch (dtype) {
    case DType::u8:
    case DType::i8:
    case DType::boolean:
      return 1;
    case DType::f16:
    case DType::bf16:
    case DType::i16:
      return 2;
    case DType::f32:
    case DType::i32:
      return 4;
    case DType::f64:
    case DType::i64:
      return 8;
  }
  return 0;
}

/// The name that safetensors files use.
inline const char * name(DType dtype)
{
  switch (dtype) {
    case DType::f16:
      return "F16";
    case DType::bf16:
      return "BF16";
    case DType::f32:
      return "F32";
    case DType::f64:
      return "F64";
    case DType::u8:
      return "U8";
    case DType::i8:
      return "I8";
    case DType::i16:
      return "I16";
    case DType::i32:
      return "I32";
    case DType::i64:
      return "I64";
    case DType::boolean:
      return "BOOL";
  }
  return "?";
}

/// The inverse of name(); nothing for a type this library does not know.
inline std::optional<DType> dtype_from_name(const std::string & text)
{
  for (const DType dtype :
       {DType::f16, DType::bf16, DType::f32, DType::f64, DType::u8, DType::i8, DType::i16,
        DType::i32, DType::i64, DType::boolean}) {
    if (text == name(dtype)) {
      return dtype;
    }
  }
  return std::nullopt;
}

}  // namespace mgproto

#endif  // MODEL__DTYPE_HPP_
