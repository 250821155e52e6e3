// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <torch/torch.h>

#include "bench/measurements.hpp"
#include "bench/process_memory.hpp"
#include "bench/stopwatch.hpp"
#include "bench/subject.hpp"
#include "model/device.hpp"
#include "training/ground/projection.hpp"

namespace mgproto::bench
{
namespace
{

constexpr int kBatch = 16;

LoaderConfig projection_loader(const Plan & plan)
{
  LoaderConfig config;
  config.preprocessing.size = plan.image_size;
  config.batch_size = kBatch;
  return config;
}

void project_all(Network & network, const Dataset & birds, const Plan & plan)
{
  Loader loader(birds, projection_loader(plan));
  project(network, birds, loader, /*distinct_images=*/true);
}

/// The same passes on images that lie in memory.
void forward_only(Network & network, const torch::Tensor & images, std::int64_t count)
{
  const torch::NoGradGuard no_grad;
  network.eval();
  for (std::int64_t done = 0; done < count; done += kBatch) {
    const std::int64_t size = std::min<std::int64_t>(kBatch, count - done);
    network.features(network.backbone_map(images.slice(0, 0, size)));
  }
}

}  // namespace

/// Projection reads and decodes its images, searches them, and cuts out and encodes a picture for
/// each prototype; the forward passes do none of it.
Values measure_projection(const Plan & plan)
{
  use_threads(plan.threads);
  Plan of_few = plan;
  of_few.classes = std::max(2, plan.projected_classes);
  const TemporaryFolder folder;
  const Dataset birds = draw_birds(
    folder.path(), of_few.classes, plan.prototypes * plan.projected_images_per_prototype, 500, 375);
  const auto network = new_network(of_few);
  const torch::Tensor images = random_images(kBatch, plan.image_size);

  const std::vector<double> seconds = interleaved_medians(
    plan.slow_repeats, {{[&] { project_all(*network, birds, of_few); }},
                        {[&] { forward_only(*network, images, birds.size()); }}});
  return {{"projection_over_forward", seconds[0] / seconds[1]}};
}

/// On a small network, so that there can be many images, and what a leak would take shows.
Values measure_projection_memory(const Plan & plan)
{
  use_threads(plan.threads);
  Plan small = plan;
  small.model.backbone = BackboneConfig();
  small.model.backbone.architecture = "resnet18";
  small.model.backbone.width = 0.25;
  small.image_size = 96;
  small.classes = 4;
  const TemporaryFolder folder;
  const Dataset birds =
    draw_birds(folder.path(), small.classes, plan.counted_images / small.classes, 96, 96);
  Dataset ten_times = birds;
  for (int i = 1; i < 10; ++i) {
    ten_times.samples.insert(ten_times.samples.end(), birds.samples.begin(), birds.samples.end());
  }
  const auto network = new_network(small);
  const auto peak_of = [&](const Dataset & dataset) {
    begin_peak();
    project_all(*network, dataset, small);
    return peak_megabytes();
  };

  peak_of(birds);  // sets up what both have
  const double once = peak_of(birds);
  return {{"projection_memory_growth_10x", peak_of(ten_times) / once}};
}

}  // namespace mgproto::bench
