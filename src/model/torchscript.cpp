// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/torchscript.hpp"

#include <torch/csrc/jit/frontend/tracer.h>
#include <torch/script.h>
#include <torch/torch.h>

#include <sstream>

#include "mgproto_ros/error.hpp"
#include "model/checkpoint.hpp"
#include "model/file_io.hpp"
#include "model/manifest_json.hpp"

namespace mgproto
{
namespace
{

c10::IValue run(Network & network, const torch::Tensor & images)
{
  const Densities densities = network.forward(images);
  return c10::ivalue::Tuple::create(
    {densities.log_class_density, densities.log_posterior.exp(), densities.log_density,
     densities.log_likelihood, densities.position});
}

/// Weights become constants of the graph; sizes of batch and image stay free, since the network
/// never writes them down.
torch::jit::Module trace(Network & network, int size)
{
  const torch::Tensor example = torch::zeros({1, 3, size, size});
  const auto traced = torch::jit::tracer::trace(
    {example},
    [&](torch::jit::Stack inputs) -> torch::jit::Stack {
      return {run(network, inputs.at(0).toTensor())};
    },
    [](const torch::autograd::Variable &) { return std::string(); });

  torch::jit::Module module("mgproto.Network");
  const auto & graph = traced.first->graph;
  // A method's first argument is the module itself.
  graph->insertInput(0, "self")->setType(module.type());
  const c10::QualifiedName method(*module.type()->name(), "forward");
  auto * function = module._ivalue()->compilation_unit()->create_function(method, graph);
  module.type()->addMethod(function);
  return module;
}

}  // namespace

void export_torchscript(const std::string & checkpoint, const std::string & path)
{
  const Checkpoint loaded = load_mixtures(checkpoint);
  loaded.network->prepare_for_inference();
  torch::NoGradGuard no_grad;
  const torch::jit::Module module = trace(*loaded.network, loaded.manifest.preprocessing.size);
  std::ostringstream bytes;
  module.save(bytes, {{"manifest.json", to_json(loaded.manifest)}});
  const std::string file = bytes.str();
  write_atomically(path, {{file.data(), file.size()}});
}

}  // namespace mgproto
