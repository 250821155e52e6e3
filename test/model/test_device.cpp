// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <dlfcn.h>
#include <gtest/gtest.h>

#include "mgproto_ros/error.hpp"
#include "model/device.hpp"

namespace mgproto
{
namespace
{

TEST(Device, ANameThatIsNoDeviceIsAnError)
{
  EXPECT_EQ(choose_device("cpu").str(), "cpu");
  for (const char * name : {"", "gpu", "cuda:", "cuda:x", "cuda:-1"}) {
    EXPECT_THROW(choose_device(name), ConfigError) << name;
  }
}

TEST(Device, TheThreadsOfOpenBlasDoNotSpinBetweenImages)
{
  const auto function = [](const char * name) {
    return reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, name));
  };
  const auto kind = function("openblas_get_parallel");
  if (kind == nullptr || kind() != 1) {
    GTEST_SKIP() << "no OpenBLAS with threads of its own here";
  }
  use_threads(2);
  EXPECT_EQ(function("openblas_get_num_threads")(), 1);
}

}  // namespace
}  // namespace mgproto
