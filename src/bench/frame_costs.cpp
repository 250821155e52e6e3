// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <torch/csrc/jit/frontend/tracer.h>
#include <torch/csrc/jit/passes/graph_rewrite_helper.h>
#include <torch/script.h>
#include <torch/torch.h>

#include <algorithm>

#include "bench/authors.hpp"
#include "bench/measurements.hpp"
#include "bench/stopwatch.hpp"
#include "bench/subject.hpp"
#include "model/device.hpp"
#include "model/evidence.hpp"
#include "model/image_file.hpp"
#include "model/preprocessing.hpp"

namespace mgproto::bench
{
namespace
{

constexpr std::int64_t kExplained = 3;       // prototypes
constexpr std::int64_t kAuthorsLevels = 20;  // T

/// Maps and boxes of some prototypes, as a Recognizer makes them.
std::vector<Box> boxes_of(
  const GaussianHead & head, const torch::Tensor & features, const InputGeometry & geometry)
{
  const torch::Tensor maps =
    head.log_likelihood_maps(features, torch::arange(kExplained)).exp().contiguous();
  const auto rows = static_cast<int>(features.size(2)), cols = static_cast<int>(features.size(3));
  std::vector<Box> boxes;
  for (std::int64_t i = 0; i < kExplained; ++i) {
    const float * map = maps.data_ptr<float>() + i * maps.size(2);
    boxes.push_back(
      activation_box(std::vector<float>(map, map + maps.size(2)), rows, cols, geometry));
  }
  return boxes;
}

InputGeometry camera_geometry(const Plan & plan)
{
  PreprocessingConfig config;
  config.size = plan.image_size;
  std::vector<float> input(3 * static_cast<std::size_t>(config.size) * config.size);
  return Preprocessor(config)(view_of(camera_picture()), input.data());
}

/// The backbone as TorchScript, its weights constants of the graph.
torch::jit::Module traced_backbone(Network & network, const torch::Tensor & image)
{
  const torch::NoGradGuard no_grad;
  const auto traced = torch::jit::tracer::trace(
    {image},
    [&](torch::jit::Stack inputs) -> torch::jit::Stack {
      return {network.backbone_map(inputs.at(0).toTensor())};
    },
    [](const torch::autograd::Variable &) { return std::string(); });
  std::shared_ptr<torch::jit::Graph> graph = traced.first->graph;
  // What the optimiser for inference looks for is a plain convolution, tracing has the general one.
  torch::jit::graph_rewrite_helper::replaceConvolutionWithAtenConv(graph);

  torch::jit::Module module("mgproto.Backbone");
  module.register_attribute("training", c10::BoolType::get(), false);
  graph->insertInput(0, "self")->setType(module.type());
  const c10::QualifiedName method(*module.type()->name(), "forward");
  module.type()->addMethod(module._ivalue()->compilation_unit()->create_function(method, graph));
  return module;
}

/// TorchScript watches the first passes and then makes its plan; what is timed comes after that.
Contestant settled(const torch::jit::Module & module, const torch::Tensor & image)
{
  Contestant contestant{[script = module, image]() mutable { script.forward({image}); }};
  for (int i = 0; i < 3; ++i) {
    contestant.run();
  }
  return contestant;
}

}  // namespace

Values measure_head(const Plan & plan)
{
  use_threads(plan.threads);
  const auto network = inference_network(plan);
  const GaussianHead many(plan.many_classes, plan.prototypes, plan.model.head);
  const InputGeometry geometry = camera_geometry(plan);
  const c10::InferenceMode inference;
  const torch::Tensor image = random_images(1, plan.image_size);
  const torch::Tensor z = network->backbone_map(image);
  const torch::Tensor features = network->features(z);

  const std::vector<double> seconds = interleaved_medians(
    plan.repeats, {{[&] { network->backbone_map(image); }},
                   {[&] { network->gaussian_head().forward(network->features(z)); }},
                   {[&] { many.forward(network->features(z)); }},
                   {[&] { boxes_of(network->gaussian_head(), features, geometry); }}});
  return {
    {"head_over_backbone_c200", seconds[1] / seconds[0]},
    {"head_over_backbone_c1000", seconds[2] / seconds[0]},
    {"evidence_over_backbone", seconds[3] / seconds[0]}};
}

/// Ways to a map of the same size from the same weights.
Values measure_maps(const Plan & plan)
{
  use_threads(plan.threads);
  const auto network_with = [&](bool stem_pool, int upsample, BackboneConfig::Map map) {
    Plan changed = plan;
    changed.model.backbone.stem_pool = stem_pool;
    changed.model.backbone.upsample = upsample;
    changed.model.backbone.map = map;
    return inference_network(changed);
  };
  using Map = BackboneConfig::Map;
  const auto published = network_with(false, 1, Map::last);
  const auto dilated = network_with(true, 1, Map::dilated);
  const auto upsampled = network_with(true, 2, Map::last);
  const auto penultimate = network_with(true, 1, Map::penultimate);
  const auto hypercolumn = network_with(true, 1, Map::hypercolumn);
  const c10::InferenceMode inference;
  const torch::Tensor image = random_images(1, plan.image_size);
  const std::vector<double> seconds = interleaved_medians(
    plan.repeats, {{[&] { published->backbone_map(image); }},
                   {[&] { dilated->backbone_map(image); }},
                   {[&] { upsampled->backbone_map(image); }},
                   {[&] { penultimate->backbone_map(image); }},
                   {[&] { hypercolumn->backbone_map(image); }}});
  return {
    {"map_dilated_over_published", seconds[1] / seconds[0]},
    {"map_upsampled_over_published", seconds[2] / seconds[0]},
    {"map_penultimate_over_published", seconds[3] / seconds[0]},
    {"map_hypercolumn_over_published", seconds[4] / seconds[0]}};
}

/// Eager and TorchScript run the network as it was trained, with its batch-norms; ours is what the
/// node runs.
Values measure_backbone(const Plan & plan)
{
  use_threads(plan.threads);
  const auto ours = inference_network(plan);
  const auto eager = new_network(plan);
  eager->eval();
  for (auto & parameter : eager->parameters()) {
    parameter.set_requires_grad(false);  // only then can it be a constant
  }
  const torch::Tensor image = random_images(1, plan.image_size);
  const torch::jit::Module script = traced_backbone(*eager, image);
  torch::jit::Module frozen = torch::jit::freeze(script);
  torch::jit::Module optimized_script = script;
  torch::jit::Module optimized = torch::jit::optimize_for_inference(optimized_script);

  const c10::InferenceMode inference;
  const std::vector<double> seconds = interleaved_medians(
    plan.repeats, {{[&] { ours->backbone_map(image); }},
                   {[&] { eager->backbone_map(image); }},
                   settled(frozen, image),
                   settled(optimized, image)});
  return {
    {"backbone_over_best", seconds[0] / *std::min_element(seconds.begin() + 1, seconds.end())}};
}

Values measure_authors_head(const Plan & plan)
{
  use_threads(plan.threads);
  const auto ours = inference_network(plan);
  const auto theirs = new_network(plan);
  theirs->eval();
  const std::int64_t D = plan.model.head.feature_dim;
  const AuthorsHead their_head(
    theirs->gaussian_head().means.view({plan.classes, plan.prototypes, D}),
    theirs->gaussian_head().priors.view({plan.classes, plan.prototypes}));
  const c10::InferenceMode inference;
  const torch::Tensor image = random_images(1, plan.image_size);
  const torch::Tensor features = ours->features(ours->backbone_map(image));
  const std::int64_t levels = std::min(kAuthorsLevels, features.size(2) * features.size(3));

  const std::vector<double> seconds = interleaved_medians(
    plan.repeats,
    {{[&] { ours->gaussian_head().forward(unit_vectors(features)); }},
     {[&] { their_head.forward(features, levels); }},
     {[&] { ours->forward(image); }},
     {[&] { their_head.forward(theirs->features(theirs->backbone_map(image)), levels); }}});
  return {
    {"head_speedup_over_authors_c200", seconds[1] / seconds[0]},
    {"inference_speedup_over_authors", seconds[3] / seconds[2]}};
}

}  // namespace mgproto::bench
