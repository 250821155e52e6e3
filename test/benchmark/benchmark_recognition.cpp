// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0
//
// What one frame costs, part by part: ResNet34 without stem pool at 224 px, M = 10, D = 64.
// MGPROTO_THREADS sets the number of threads (default 2).

#include <benchmark/benchmark.h>
#include <torch/torch.h>

#include <cstdlib>

#include "model/antialiased_resize.hpp"
#include "model/device.hpp"
#include "model/network.hpp"
#include "model/preprocessing.hpp"

namespace mgproto
{
namespace
{

void use_benchmark_threads()
{
  const char * threads = std::getenv("MGPROTO_THREADS");
  use_threads(threads != nullptr ? std::atoi(threads) : 2);
}

std::shared_ptr<Network> network_of(int classes)
{
  torch::manual_seed(1);
  ModelConfig config;
  config.backbone.architecture = "resnet34";
  auto network =
    std::make_shared<Network>(config, std::make_shared<GaussianHead>(classes, 10, config.head));
  network->prepare_for_inference();
  return network;
}

void backbone(benchmark::State & state, c10::MemoryFormat format)
{
  use_benchmark_threads();
  const c10::InferenceMode inference;
  const auto network = network_of(2);
  for (auto & parameter : network->parameters()) {
    if (parameter.dim() == 4) {
      parameter.set_data(parameter.contiguous(format));
    }
  }
  const torch::Tensor image = torch::randn({1, 3, 224, 224}).contiguous(format);
  for (auto _ : state) {
    benchmark::DoNotOptimize(network->backbone_map(image));
  }
}

/// Add-on, head and Bayes of one frame, behind the backbone.
void head(benchmark::State & state)
{
  use_benchmark_threads();
  const c10::InferenceMode inference;
  const auto network = network_of(static_cast<int>(state.range(0)));
  const torch::Tensor z = torch::randn({1, 512, 14, 14});
  for (auto _ : state) {
    benchmark::DoNotOptimize(network->gaussian_head().forward(network->features(z)).log_density);
  }
}

void preprocessing(benchmark::State & state)
{
  const auto width = static_cast<int>(state.range(0));
  const auto height = static_cast<int>(state.range(1));
  const std::vector<std::uint8_t> pixels(static_cast<std::size_t>(width) * height * 3, 100);
  const ImageView image{
    pixels.data(), width, height, static_cast<std::size_t>(width) * 3, PixelFormat::bgr};
  Preprocessor preprocessor{PreprocessingConfig()};
  std::vector<float> input(3 * 224 * 224);
  for (auto _ : state) {
    preprocessor(image, input.data());
    benchmark::ClobberMemory();
  }
}

BENCHMARK_CAPTURE(backbone, contiguous, c10::MemoryFormat::Contiguous)
  ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(backbone, channels_last, c10::MemoryFormat::ChannelsLast)
  ->Unit(benchmark::kMillisecond);
BENCHMARK(head)->Arg(200)->Arg(1000)->Unit(benchmark::kMillisecond);
BENCHMARK(preprocessing)->Args({640, 480})->Args({1920, 1080})->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace mgproto

BENCHMARK_MAIN();
