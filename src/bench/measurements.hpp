// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef BENCH__MEASUREMENTS_HPP_
#define BENCH__MEASUREMENTS_HPP_

#include <map>
#include <string>

#include "bench/plan.hpp"

namespace mgproto::bench
{

/// Measured numbers by their target's name.
using Values = std::map<std::string, double>;

// Each gives all the targets that name it (targets.cpp), or throws Error with the reason why it
// cannot on this machine or in this build.

// frame_costs.cpp: one frame, on tensors, without anything around it.
Values measure_head(const Plan & plan);
Values measure_maps(const Plan & plan);
Values measure_backbone(const Plan & plan);
Values measure_authors_head(const Plan & plan);

// training_costs.cpp
Values measure_train_step(const Plan & plan);
Values measure_train_wait(const Plan & plan);
Values measure_em(const Plan & plan);

// projection_costs.cpp
Values measure_projection(const Plan & plan);
Values measure_projection_memory(const Plan & plan);

// evaluation_costs.cpp
Values measure_evaluation(const Plan & plan);

// perception_costs.cpp: the node, from message to message.
Values measure_node(const Plan & plan);
Values measure_demo_node(const Plan & plan);

// loading.cpp
Values measure_loading(const Plan & plan);

// memory.cpp
Values measure_frame_memory(const Plan & plan);

}  // namespace mgproto::bench

#endif  // BENCH__MEASUREMENTS_HPP_
