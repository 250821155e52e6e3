// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__PICKLE_HPP_
#define MODEL__PICKLE_HPP_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/printable.hpp"

namespace mgproto::pickle
{

/// A value's place in Pickle::values.
using Index = std::uint32_t;

enum class Kind : std::uint8_t
{
  none,
  boolean,     ///< integer is 0 or 1
  integer,     ///< what fits into 64 bits
  text,        ///< text is the string's UTF-8
  list,        ///< items
  tuple,       ///< items
  dict,        ///< items: key, value, key, value, ... in the order they were set
  global,      ///< text is the dotted name, such as "collections.OrderedDict"
  call,        ///< items: the callable, the tuple of its arguments
  persistent,  ///< items: the persistent id
  other,       ///< floats, byte strings, sets; an integer beyond 64 bits has its bytes in text
};

struct Value
{
  Kind kind = Kind::none;
  std::int64_t integer = 0;
  std::string_view text;
  std::vector<Index> items;
};

/// One unpickled object. Values refer to each other by index, so that an object which holds itself
/// neither leaks nor recurses. The texts point into the bytes that were read and into `globals`.
/// The items of tuples, calls and persistent ids always have smaller indices than their owner.
struct Pickle
{
  std::deque<Value> values;
  Index root = 0;
  std::size_t length = 0;  ///< bytes read, up to and including STOP
  std::set<std::string, std::less<>> globals;

  const Value & operator[](Index index) const { return values[index]; }
};

/// Throws to refuse a dotted name that a pickle refers to.
using CheckGlobal = std::function<void(const std::string & name)>;

/// Reads the pickle at the front of `bytes`, binary protocols 1 to 5 as far as data needs them.
/// Nothing is imported or called: a call is only noted down, and a call of collections.OrderedDict
/// without arguments is an empty dict. State set on an object (BUILD) is dropped.
/// Time is linear in the number of bytes, and so is memory, up to the limit on values.
/// Throws FileError, with `path` and the offset of the opcode that is wrong.
Pickle unpickle(const std::string & path, std::string_view bytes, const CheckGlobal & check_global);

using mgproto::printable;

}  // namespace mgproto::pickle

#endif  // MODEL__PICKLE_HPP_
