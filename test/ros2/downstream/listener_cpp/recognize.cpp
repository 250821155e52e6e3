// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>
#include <cstdio>
#include <mgproto_ros/recognizer.hpp>
#include <vector>

int main(int, char ** argv)
{
  mgproto::Recognizer recognizer(argv[1]);
  const std::vector<std::uint8_t> grey(3 * 64 * 64, 128);
  const mgproto::Prediction prediction =
    recognizer.recognize(mgproto::ImageView{grey.data(), 64, 64, 3 * 64});
  std::printf("%zu classes\n", prediction.posterior.size());
}
