// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "bench/answer_counter.hpp"
#include "bench/measurements.hpp"
#include "bench/process_memory.hpp"
#include "bench/subject.hpp"
#include "mgproto_ros/error.hpp"

namespace mgproto::bench
{

/// Through the node's whole behaviour with evidence and overlay, but without a middleware.
Values measure_frame_memory(const Plan & plan)
{
  if (plan.demo_model.empty()) {
    throw Error("the demo's model was not found");
  }
  std::vector<cv::Mat> pictures;
  for (int i = 0; i < 6; ++i) {
    pictures.push_back(camera_picture(i));
  }
  perception::Settings settings;
  settings.model = plan.demo_model;
  settings.device = "cpu";
  AnswerCounter outputs;
  perception::Perception node(settings, outputs);
  int frames = 0;
  const auto memory_after = [&](int wanted) {
    while (frames < wanted) {
      node.add_frame(frame_of(pictures[frames % pictures.size()], 0));
      outputs.wait_for(++frames);
    }
    return resident_megabytes();
  };

  const double before = memory_after(plan.first_frames);
  return {{"memory_growth_10k_frames", memory_after(plan.all_frames) / before}};
}

}  // namespace mgproto::bench
