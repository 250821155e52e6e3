// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>
#include <torch/script.h>

#include "golden.hpp"
#include "mgproto_ros/error.hpp"
#include "model/checkpoint.hpp"
#include "model/manifest_json.hpp"
#include "model/torchscript.hpp"
#include "small_model.hpp"
#include "temporary_directory.hpp"

namespace mgproto
{
namespace
{

TEST(TorchScript, TheExportedModelAnswersAsTheNetworkForAnyBatchAndSize)
{
  const test::TemporaryDirectory directory;
  const auto network = test::small_network();
  save_checkpoint(directory / "model.safetensors", *network, test::small_manifest());

  export_torchscript(directory / "model.safetensors", directory / "model.pt");

  torch::jit::ExtraFilesMap extra{{"manifest.json", ""}};
  torch::jit::Module script = torch::jit::load(directory / "model.pt", c10::nullopt, extra);
  EXPECT_EQ(manifest_from_json(extra["manifest.json"]).classes, test::small_manifest().classes);
  torch::NoGradGuard no_grad;
  // The traced size, another batch, and maps of 5x3 and 1x1.
  for (const auto & shape : std::vector<std::vector<std::int64_t>>{
         {1, 3, 48, 48}, {4, 3, 48, 48}, {2, 3, 80, 48}, {1, 3, 16, 16}}) {
    const torch::Tensor images = torch::randn(shape);
    const Densities expected = network->forward(images);
    const auto answer = script.forward({images}).toTuple();
    const auto part = [&](int i) { return answer->elements()[i].toTensor(); };
    EXPECT_LT(test::largest_difference(part(0), expected.log_class_density), 1e-4);
    EXPECT_LT(test::largest_difference(part(1), expected.log_posterior.exp()), 1e-4);
    EXPECT_LT(test::largest_difference(part(2), expected.log_density), 1e-4);
    EXPECT_LT(test::largest_difference(part(3), expected.log_likelihood), 1e-4);
    EXPECT_TRUE(part(4).equal(expected.position));
  }
}

TEST(TorchScript, ABackboneAloneIsRefused)
{
  const test::TemporaryDirectory directory;
  Network network(test::small_config(), nullptr);
  save_checkpoint(directory / "b.safetensors", network, Manifest());
  EXPECT_THROW(export_torchscript(directory / "b.safetensors", directory / "b.pt"), FileError);
}

}  // namespace
}  // namespace mgproto
