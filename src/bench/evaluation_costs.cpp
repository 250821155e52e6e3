// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <torch/torch.h>

#include "bench/measurements.hpp"
#include "bench/stopwatch.hpp"
#include "bench/subject.hpp"
#include "birds/birds_dataset.hpp"
#include "model/device.hpp"
#include "training/pass/pass.hpp"
#include "training/run/evaluate_checkpoint.hpp"

namespace mgproto::bench
{
namespace
{

constexpr const char * kOodSets[] = {"unseen_species", "vehicles", "textures"};

/// What any evaluation must do: decode the images and pass them through the backbone.
void pass_through(Network & network, const Dataset & dataset, int image_size, int passes)
{
  const torch::NoGradGuard no_grad;
  LoaderConfig config;
  config.preprocessing.size = image_size;
  config.batch_size = 32;
  Loader loader(dataset, config);
  Batch batch;
  loader.start(0);
  while (loader.next(batch)) {
    for (int pass = 0; pass < passes; ++pass) {
      network.backbone_map(images_of(batch));
    }
  }
}

}  // namespace

/// Recognition, all scores of three sets to reject, interpretability on parts and masks. What takes
/// passes of its own, DAUC and the like, is left out, and stability's second pass of the test images counted.
Values measure_evaluation(const Plan & plan)
{
  use_threads(plan.threads);
  const TemporaryFolder folder;
  birds::Options options;
  options.classes = 2;
  options.per_class = plan.evaluated_images_per_class;
  options.size = plan.image_size;
  options.calibration = options.classes;
  options.ood = plan.evaluated_images_per_class / 3;
  const std::string data = folder.path() + "/data";
  birds::write_dataset(data, options);
  const Dataset test = open_dataset(data + "/birds", "test");
  const Dataset training = open_dataset(data + "/birds", "train");

  Plan of_few = plan;
  of_few.classes = options.classes;
  const std::string model = folder.path() + "/model.safetensors";
  write_network(model, of_few, test.classes);
  EvaluationOptions evaluation;
  evaluation.images.path = data + "/birds";
  evaluation.dauc_every = 0;
  evaluation.belief_every = 0;
  std::vector<Dataset> ood;
  for (const std::string name : kOodSets) {
    evaluation.ood[name] = data + "/ood/" + name;
    ood.push_back(open_ood(evaluation.ood[name]));
  }

  const auto network = inference_network(of_few);
  const auto pass_all = [&] {
    pass_through(*network, test, plan.image_size, 2);
    pass_through(*network, training, plan.image_size, 1);
    for (const Dataset & dataset : ood) {
      pass_through(*network, dataset, plan.image_size, 1);
    }
  };
  const auto evaluate = [&] {
    evaluate_checkpoint(model, evaluation, [](const std::string &, std::int64_t, std::int64_t) {});
  };
  const std::vector<double> seconds =
    interleaved_medians(plan.slow_repeats, {{evaluate}, {pass_all}});
  return {{"evaluation_over_passes", seconds[0] / seconds[1]}};
}

}  // namespace mgproto::bench
