// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__RUN__STATE_FILE_HPP_
#define TRAINING__RUN__STATE_FILE_HPP_

#include <string>

#include "training/learn/memory_bank.hpp"

namespace mgproto
{

/// Tensors by name in a safetensors file, with a text about them and a hash that finds damage.
struct StateFile
{
  State state;
  std::string about;
};

void write_state(const std::string & path, const State & state, const std::string & about);

/// Throws FileError if there is no such file, or it is something else or damaged.
StateFile read_state(const std::string & path);

}  // namespace mgproto

#endif  // TRAINING__RUN__STATE_FILE_HPP_
