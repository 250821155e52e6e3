// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__WEIGHT_STORAGE_HPP_
#define MODEL__WEIGHT_STORAGE_HPP_

namespace mgproto
{

/// How a file holds the weights of the backbone's convolutions; in memory they are float32.
/// eight_bit: a quarter of the size; a weight is off by at most half a step, of which the largest
/// weight of its output channel has 127.
enum class WeightStorage
{
  float32,
  eight_bit
};

}  // namespace mgproto

#endif  // MODEL__WEIGHT_STORAGE_HPP_
