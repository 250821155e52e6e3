// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "bench/targets.hpp"

namespace mgproto::bench
{

const std::vector<Target> & targets()
{
  constexpr bool kAtMost = true;
  constexpr bool kAtLeast = false;
  static const std::vector<Target> all{
    {"head_over_backbone_c200", "ratio", kAtMost, 0.02,
     "add-on, head and Bayes ÷ backbone, one frame, 200 classes", measure_head},
    {"head_over_backbone_c1000", "ratio", kAtMost, 0.06, "the same, 1000 classes", measure_head},
    {"evidence_over_backbone", "ratio", kAtMost, 0.02,
     "maps and boxes of the top 3 prototypes ÷ backbone", measure_head},
    {"node_over_backbone", "ratio", kAtMost, 1.05, "image message in → prediction out ÷ backbone",
     measure_node},
    {"node_full_over_backbone", "ratio", kAtMost, 1.12,
     "the same, until evidence and overlay are out, too", measure_node},
    {"demo_node_overhead_ms", "ms", kAtMost, 2.0,
     "image message at the node → prediction out, minus the backbone; demo model, 640×480",
     measure_demo_node},
    {"backbone_over_best", "ratio", kAtMost, 1.03,
     "our backbone ÷ fastest of LibTorch eager, frozen TorchScript, optimize_for_inference",
     measure_backbone},
    {"map_dilated_over_published", "ratio", kAtMost, 0.5,
     "backbone with stem pool and map dilated ÷ as published, both 14 × 14 at 224 px",
     measure_maps},
    {"map_upsampled_over_published", "ratio", kAtMost, 0.35,
     "backbone with stem pool, its map up-sampled × 2 ÷ as published", measure_maps},
    {"map_penultimate_over_published", "ratio", kAtMost, 0.3,
     "backbone with stem pool and map penultimate ÷ as published", measure_maps},
    {"map_hypercolumn_over_published", "ratio", kAtMost, 0.5,
     "backbone with stem pool and map hypercolumn ÷ as published, both 14 × 14 at 224 px",
     measure_maps},
    {"head_speedup_over_authors_c200", "ratio", kAtLeast, 20, "the authors' head ÷ ours",
     measure_authors_head},
    {"inference_speedup_over_authors", "ratio", kAtLeast, 2.0, "the authors' whole pass ÷ ours",
     measure_authors_head},
    {"train_step_over_backbone", "ratio", kAtMost, 1.10,
     "training step ÷ bare forward and backward pass of the backbone, batch 16",
     measure_train_step},
    {"train_wait_share", "share", kAtMost, 0.05, "of a training's time spent waiting for data",
     measure_train_wait},
    {"em_speedup_over_authors_c200", "ratio", kAtLeast, 20,
     "the authors' EM ÷ ours, 200 classes, N = 800, 3 loops", measure_em},
    {"em_over_train_step_16", "ratio", kAtMost, 0.002, "EM of 16 classes ÷ training step",
     measure_train_step},
    {"projection_over_forward", "ratio", kAtMost, 1.10, "projection ÷ its forward passes",
     measure_projection},
    {"projection_memory_growth_10x", "ratio", kAtMost, 1.05,
     "peak memory of a projection of 10 × the images ÷ that of the images",
     measure_projection_memory},
    {"evaluation_over_passes", "ratio", kAtMost, 1.15,
     "evaluate, without DAUC and belief ÷ its passes through the backbone and decoding",
     measure_evaluation},
    {"load_over_read_plus_pass", "ratio", kAtMost, 1.5,
     "load and warm-up ÷ (reading the file + one pass)", measure_loading},
    {"memory_growth_10k_frames", "ratio", kAtMost, 1.02,
     "memory after 10,000 frames of the demo model ÷ after 200", measure_frame_memory}};
  return all;
}

}  // namespace mgproto::bench
