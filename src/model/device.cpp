// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/device.hpp"

#include <dlfcn.h>
#include <torch/torch.h>

#include <algorithm>
#include <thread>

#include "mgproto_ros/error.hpp"

namespace mgproto
{

c10::Device choose_device(const std::string & name)
{
  const auto count =
    static_cast<int>(torch::cuda::is_available() ? torch::cuda::device_count() : 0);
  if (name == "cpu" || (name == "auto" && count == 0)) {
    return c10::Device(c10::kCPU);
  }
  int index = 0;
  if (name.rfind("cuda:", 0) == 0) {
    const std::string digits = name.substr(5);
    if (
      digits.empty() || digits.size() > 3 ||
      digits.find_first_not_of("0123456789") != std::string::npos) {
      throw ConfigError("device", "'" + name + "' has no device number, expected cuda:N");
    }
    index = std::stoi(digits);
  } else if (name != "auto" && name != "cuda") {
    throw ConfigError("device", "'" + name + "' is not one of auto, cpu, cuda, cuda:N");
  }
  if (index >= count) {
    throw DeviceError(
      "device '" + name + "' was asked for, but LibTorch finds " + std::to_string(count) +
      " CUDA devices here; use 'cpu' or 'auto'");
  }
  return c10::Device(c10::kCUDA, static_cast<c10::DeviceIndex>(index));
}

namespace
{

/// OpenBLAS's own threads, in its pthread build, wait by spinning: between images they would keep a
/// whole core busy, and during one take it from the convolutions. The OpenMP build has none.
void stop_spinning_blas()
{
  constexpr int kOwnThreads = 1;
  const auto kind = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_parallel"));
  const auto set_threads =
    reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
  if (kind != nullptr && set_threads != nullptr && kind() == kOwnThreads) {
    set_threads(1);
  }
}

}  // namespace

void use_threads(int num_threads)
{
  static const bool once = (stop_spinning_blas(), true);
  static_cast<void>(once);
  const int wanted =
    num_threads > 0 ? num_threads : std::max(1u, std::thread::hardware_concurrency());
  if (torch::get_num_threads() != wanted) {
    torch::set_num_threads(wanted);
  }
}

}  // namespace mgproto
