// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "bench/growth.hpp"

#include <torch/torch.h>

#include "bench/answer_counter.hpp"
#include "bench/process_memory.hpp"
#include "bench/stopwatch.hpp"
#include "bench/subject.hpp"
#include "model/device.hpp"

namespace mgproto::bench
{
namespace
{

/// Everything that one row makes lives inside of `measure`, so its memory is counted.
template <class Measure>
Growth::Row row_of(double size, const Measure & measure)
{
  Growth::Row row;
  row.size = size;
  begin_peak();
  const double before = resident_megabytes();
  for (const double seconds : measure()) {
    row.milliseconds.push_back(1000 * seconds);
  }
  row.megabytes = peak_megabytes() - before;
  return row;
}

/// Backbone, and what comes behind it, of a batch.
std::vector<double> network_seconds(const Plan & plan, std::int64_t batch)
{
  const auto network = inference_network(plan);
  const c10::InferenceMode inference;
  const torch::Tensor images = random_images(batch, plan.image_size);
  const torch::Tensor z = network->backbone_map(images);
  return interleaved_medians(
    plan.slow_repeats, {{[&] { network->backbone_map(images); }},
                        {[&] { network->gaussian_head().forward(network->features(z)); }}});
}

/// From one frame of every camera until all of them have been answered, with evidence and overlay.
std::vector<double> camera_seconds(const Plan & plan, const std::string & model, int cameras)
{
  perception::Settings settings;
  settings.model = model;
  settings.device = "cpu";
  settings.num_threads = plan.threads;
  std::vector<cv::Mat> pictures;
  for (int i = 0; i < cameras; ++i) {
    settings.cameras.push_back("camera" + std::to_string(i));
    pictures.push_back(camera_picture(i));
  }
  AnswerCounter outputs;
  perception::Perception node(settings, outputs);
  int frames = 0;
  return interleaved_medians(plan.slow_repeats, {{[&] {
                               for (int i = 0; i < cameras; ++i) {
                                 node.add_frame(frame_of(pictures[i], i));
                               }
                               outputs.wait_for(frames += cameras);
                             }}});
}

const std::vector<std::string> kNetworkParts{"backbone", "add-on, head, Bayes"};

}  // namespace

std::vector<Growth> measure_growth(const Plan & plan, const Say & say)
{
  use_threads(plan.threads);
  std::vector<Growth> all;
  const auto grow = [&](Growth growth, const std::vector<int> & sizes, const auto & measure) {
    say("measuring growth: " + growth.title);
    measure(sizes.front());  // what is only set up once is no row's
    for (const int size : sizes) {
      growth.rows.push_back(row_of(size, [&] { return measure(size); }));
    }
    all.push_back(std::move(growth));
  };

  grow(
    {"classes", "Classes", "C", kNetworkParts, {}}, {10, 50, 200, 500, 1000, 2000}, [&](int size) {
      Plan with = plan;
      with.classes = size;
      return network_seconds(with, 1);
    });
  grow(
    {"image_size", "Image size", "pixels a side", kNetworkParts, {}},
    {96, 128, 160, 192, 224, 320, 448}, [&](int size) {
      Plan with = plan;
      with.image_size = size;
      return network_seconds(with, 1);
    });
  const TemporaryFolder folder;
  const std::string model = folder.path() + "/model.safetensors";
  write_network(model, plan);
  grow(
    {"cameras", "Cameras", "cameras", {"a frame of each, until all are answered"}, {}},
    {1, 2, 4, 8}, [&](int size) { return camera_seconds(plan, model, size); });
  grow({"batch", "Batch", "images", kNetworkParts, {}}, {1, 2, 4, 8, 16}, [&](int size) {
    return network_seconds(plan, size);
  });
  grow(
    {"prototypes", "Prototypes per class", "M", kNetworkParts, {}}, {1, 2, 5, 10, 20},
    [&](int size) {
      Plan with = plan;
      with.prototypes = size;
      return network_seconds(with, 1);
    });
  return all;
}

}  // namespace mgproto::bench
