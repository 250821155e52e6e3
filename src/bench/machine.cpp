// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "bench/machine.hpp"

#include <dlfcn.h>
#include <torch/torch.h>
#include <torch/version.h>

#include <fstream>
#include <opencv2/core/version.hpp>
#include <regex>
#include <thread>

namespace mgproto::bench
{
namespace
{

constexpr const char * kUnknown = "unknown";

std::string cpu_model()
{
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("model name", 0) == 0) {
      return line.substr(line.find(':') + 2);
    }
  }
  return kUnknown;
}

/// OpenBLAS describes itself; others do not.
std::string blas()
{
  const auto config = reinterpret_cast<char * (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_config"));
  return config != nullptr ? config() : kUnknown;
}

std::string onednn()
{
  const std::string text = at::show_config();
  std::smatch found;
  const std::regex version("(?:MKL-DNN|oneDNN) v([0-9.]+)");
  return std::regex_search(text, found, version) ? found[1].str() : kUnknown;
}

}  // namespace

Machine this_machine(int threads, const std::string & package_version)
{
  Machine machine;
  machine.cpu = cpu_model();
  machine.cores = static_cast<int>(std::thread::hardware_concurrency());
  machine.threads = threads;
  machine.libtorch = TORCH_VERSION;
  machine.onednn = onednn();
  machine.opencv = CV_VERSION;
  machine.blas = blas();
  machine.package = package_version;
  return machine;
}

}  // namespace mgproto::bench
