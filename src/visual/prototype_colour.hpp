// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef VISUAL__PROTOTYPE_COLOUR_HPP_
#define VISUAL__PROTOTYPE_COLOUR_HPP_

#include <array>
#include <cstddef>
#include <opencv2/core.hpp>

#include "visual/palette.hpp"

namespace mgproto::visual
{

/// By a prototype's place in its class, the same in every picture of the class. Of more prototypes
/// than colours some share one, so their numbers stand beside them.
inline cv::Scalar prototype_colour(std::size_t place)
{
  static const std::array<cv::Scalar, 10> colours{
    colour(0x2563eb), colour(0xd9660a), colour(0x0d9488), colour(0xbe185d), colour(0x7c6f1d),
    colour(0x9333ea), colour(0x4d7c0f), colour(0x0284c7), colour(0x92400e), colour(0x64748b)};
  return colours[place % colours.size()];
}

}  // namespace mgproto::visual

#endif  // VISUAL__PROTOTYPE_COLOUR_HPP_
