// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/device.hpp"

#include <dlfcn.h>
#include <torch/torch.h>

#include <algorithm>
#include <thread>

#include "mgproto_ros/error.hpp"
#include "model/device_name.hpp"

namespace mgproto
{

c10::Device choose_device(const std::string & name)
{
  const auto count =
    static_cast<int>(torch::cuda::is_available() ? torch::cuda::device_count() : 0);
  if (name == "cpu" || (name == "auto" && count == 0)) {
    return c10::Device(c10::kCPU);
  }
  if (!is_device_name(name)) {
    throw ConfigError("device", "'" + name + "' is not one of " + kDeviceNames);
  }
  const auto colon = name.find(':');
  const int index = colon == std::string::npos ? 0 : std::stoi(name.substr(colon + 1));
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
