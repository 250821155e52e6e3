// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef BENCH__MACHINE_HPP_
#define BENCH__MACHINE_HPP_

#include <string>

namespace mgproto::bench
{

/// What the numbers were measured on. "unknown" where the machine does not say.
struct Machine
{
  std::string cpu;
  int cores = 0;
  int threads = 0;  ///< that the network was given
  std::string libtorch;
  std::string onednn;
  std::string opencv;
  std::string blas;
  std::string package;
};

Machine this_machine(int threads, const std::string & package_version);

}  // namespace mgproto::bench

#endif  // BENCH__MACHINE_HPP_
