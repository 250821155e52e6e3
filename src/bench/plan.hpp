// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef BENCH__PLAN_HPP_
#define BENCH__PLAN_HPP_

#include <string>

#include "mgproto_ros/model_config.hpp"

namespace mgproto::bench
{

/// What is measured, and how often. The defaults are what the targets are about: ResNet34 without
/// stem pool at 224 px, C = 200, M = 10, D = 64.
struct Plan
{
  int threads = 2;
  std::string demo_model;  ///< empty: there is none, and what needs it is not measured

  ModelConfig model;
  int image_size = 224;
  int classes = 200;
  int many_classes = 1000;
  int prototypes = 10;  ///< M
  int memory = 800;     ///< N

  int repeats = 15;        ///< of what takes up to a second
  int slow_repeats = 5;    ///< of what takes seconds
  int demo_repeats = 200;  ///< of a frame of the demo model
  int training_batch = 16;
  int training_batches = 6;  ///< while waiting for data is measured
  int projected_classes = 4;
  int projected_images_per_prototype = 3;  ///< as in CUB-200-2011: 5994 images, 2000 prototypes
  int evaluated_images_per_class = 24;     ///< half of them to train on
  int counted_images = 200;  ///< while memory is measured; the second time ten times as many
  int first_frames = 200;
  int all_frames = 10000;
};

/// The same names within a minute or two: fewer repeats, frames and images.
inline Plan quick_plan()
{
  Plan plan;
  plan.repeats = 5;
  plan.slow_repeats = 1;
  plan.demo_repeats = 50;
  plan.training_batch = 4;
  plan.training_batches = 3;
  plan.projected_classes = 1;
  plan.evaluated_images_per_class = 6;
  plan.counted_images = 40;
  plan.all_frames = 1000;
  return plan;
}

}  // namespace mgproto::bench

#endif  // BENCH__PLAN_HPP_
