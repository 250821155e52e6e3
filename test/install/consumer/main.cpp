// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>
#include <cstdio>
#include <mgproto_ros/error.hpp>
#include <mgproto_ros/recognizer.hpp>
#include <vector>

int main(int, char ** argv)
{
  try {
    mgproto::Recognizer recognizer(argv[1]);
    const std::vector<std::uint8_t> grey(3 * 64 * 64, 128);
    const mgproto::Prediction prediction =
      recognizer.recognize(mgproto::ImageView{grey.data(), 64, 64, 3 * 64});
    std::printf("%zu classes, log p(x) %g\n", prediction.posterior.size(), prediction.log_density);
  } catch (const mgproto::FileError & error) {
    std::printf("%s\n", error.what());
    return 1;
  }
}
