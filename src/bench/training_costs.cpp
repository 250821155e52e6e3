// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <torch/torch.h>

#include <numeric>

#include "bench/authors.hpp"
#include "bench/measurements.hpp"
#include "bench/stopwatch.hpp"
#include "bench/subject.hpp"
#include "datasets/loader.hpp"
#include "model/device.hpp"
#include "training/learn/stopwatch.hpp"
#include "training/learn/trainer.hpp"
#include "training/pass/pass.hpp"

namespace mgproto::bench
{
namespace
{

/// Late enough for mining and EM to be at work.
constexpr double kLateEpoch = 100;
constexpr double kEmRate = 3e-3;

TrainingConfig training_config(const Plan & plan)
{
  TrainingConfig config;
  config.network.model = plan.model;
  config.network.preprocessing.size = plan.image_size;
  config.network.prototypes_per_class = plan.prototypes;
  config.em.memory = plan.memory;
  config.schedule.batch = plan.training_batch;
  return config;
}

/// A step costs its full price only when the memory is full and EM runs.
void fill_memory(Trainer & trainer, const Plan & plan)
{
  State state = trainer.state();
  state["method.memory.features"] = random_features(plan, plan.classes);
  state["method.memory.size"] = torch::full({plan.classes}, plan.memory, torch::kInt64);
  trainer.restore(state);
}

/// A memory bank, the mixtures that learn from it, and how often a class has been touched.
struct EmSubject
{
  GaussianHead head;
  MemoryBank bank;
  ModifiedEm em;
  torch::Tensor features;  // [C, N, D]

  explicit EmSubject(const Plan & plan)
  : head(plan.classes, plan.prototypes, plan.model.head),
    bank(plan.classes, plan.memory, plan.model.head.feature_dim),
    em(EmConfig(), head, 1),
    features(random_features(plan, plan.classes))
  {
    for (std::int64_t c = 0; c < bank.classes(); ++c) {
      bank.push_rows(c, features[c]);
    }
    bank.take_touched();
  }

  /// One feature arrives at each of the first classes.
  void touch(std::int64_t classes)
  {
    for (std::int64_t c = 0; c < classes; ++c) {
      bank.push_rows(c, features[c].slice(0, 0, 1));
    }
  }
};

}  // namespace

Values measure_train_step(const Plan & plan)
{
  use_threads(plan.threads);
  Trainer trainer(training_config(plan), new_network(plan));
  fill_memory(trainer, plan);
  const torch::Tensor images = random_images(plan.training_batch, plan.image_size);
  const torch::Tensor labels = torch::arange(plan.training_batch) % plan.classes;
  EmSubject em(plan);
  const std::int64_t classes = std::min(plan.training_batch, plan.classes);

  const std::vector<double> seconds = interleaved_medians(
    plan.slow_repeats,
    {{[&] { trainer.step(images, labels, kLateEpoch); }},
     {[&] {
       const torch::Tensor z = trainer.network().backbone_map(images);
       z.backward(torch::ones_like(z));
     }},
     {[&] { em.em.update(em.head, em.bank, kEmRate); }, [&] { em.touch(classes); }}});
  return {
    {"train_step_over_backbone", seconds[0] / seconds[1]},
    {"em_over_train_step_16", seconds[2] / seconds[0]}};
}

/// Photographs are decoded and augmented by one worker beside the trainer's threads. The first
/// batch does not count: an epoch has hundreds of them.
Values measure_train_wait(const Plan & plan)
{
  use_threads(plan.threads);
  const TemporaryFolder folder;
  constexpr int kClasses = 4;
  const int images = plan.training_batch * (plan.training_batches + 1);
  const Dataset birds =
    draw_birds(folder.path(), kClasses, (images + kClasses - 1) / kClasses, 500, 375);
  Trainer trainer(training_config(plan), new_network(plan));
  LoaderConfig config;
  config.preprocessing.size = plan.image_size;
  config.augmentation = AugmentationConfig();
  config.order = SampleOrder::shuffled;
  config.batch_size = plan.training_batch;
  config.drop_last = true;
  config.workers = 1;
  Loader loader(birds, config);
  Batch batch;
  const auto learn = [&] {
    trainer.step(images_of(batch), torch::tensor(batch.labels, torch::kInt64), kLateEpoch);
  };

  loader.start(0);
  loader.next(batch);
  learn();
  const Stopwatch watch;
  const double waited_before = loader.seconds_waited();
  while (loader.next(batch)) {
    learn();
  }
  const double waited = loader.seconds_waited() - waited_before;
  return {{"train_wait_share", waited / watch.seconds()}};
}

Values measure_em(const Plan & plan)
{
  use_threads(plan.threads);
  EmSubject ours(plan);
  const std::int64_t C = plan.classes, M = plan.prototypes, D = plan.model.head.feature_dim;
  AuthorsEm theirs(ours.head.means.view({C, M, D}), ours.head.priors.view({C, M}), kEmRate);
  std::vector<std::int64_t> classes(C);
  std::iota(classes.begin(), classes.end(), 0);

  const std::vector<double> seconds = interleaved_medians(
    plan.slow_repeats,
    {{[&] { ours.em.update(ours.head, ours.bank, kEmRate); }, [&] { ours.touch(C); }},
     {[&] { theirs.update(ours.features, classes); }}});
  return {{"em_speedup_over_authors_c200", seconds[1] / seconds[0]}};
}

}  // namespace mgproto::bench
