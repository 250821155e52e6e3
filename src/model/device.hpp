// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__DEVICE_HPP_
#define MODEL__DEVICE_HPP_

#include <c10/core/Device.h>

#include <string>

namespace mgproto
{

/// auto | cpu | cuda | cuda:N. `auto` takes CUDA where there is one and the CPU otherwise; asking
/// for a CUDA device that is not there is a DeviceError.
c10::Device choose_device(const std::string & name);

/// Makes LibTorch use so many threads (0 = all cores) on the calling thread. OpenMP keeps the number
/// per thread, so whoever runs the network calls this on the thread that runs it.
void use_threads(int num_threads);

}  // namespace mgproto

#endif  // MODEL__DEVICE_HPP_
