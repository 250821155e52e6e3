// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/evaluate/ood/image_outputs.hpp"

#include <torch/torch.h>

#include "mgproto_ros/error.hpp"
#include "model/heads/softmax_head.hpp"
#include "training/evaluate/ood/ash.hpp"
#include "training/evaluate/ood/odin.hpp"

namespace mgproto
{
namespace
{

template <typename Outputs, typename Function>
void for_each_member(Outputs & outputs, Function function)
{
  function("logits", outputs.logits);
  function("features", outputs.features);
  function("labels", outputs.labels);
  function("similarity", outputs.similarity);
  function("ash", outputs.ash);
  function("odin", outputs.odin);
}

}  // namespace

std::map<std::string, torch::Tensor> ImageOutputs::tensors() const
{
  std::map<std::string, torch::Tensor> defined;
  for_each_member(*this, [&](const char * name, const torch::Tensor & tensor) {
    if (tensor.defined()) {
      defined[name] = tensor;
    }
  });
  return defined;
}

ImageOutputs ImageOutputs::from(const std::map<std::string, torch::Tensor> & tensors)
{
  ImageOutputs outputs;
  for_each_member(outputs, [&](const char * name, torch::Tensor & tensor) {
    const auto found = tensors.find(name);
    if (found != tensors.end()) {
      tensor = found->second;
    }
  });
  return outputs;
}

void OutputCollector::add(const BatchAnswers & seen)
{
  labels_.insert(
    labels_.end(), seen.batch.labels.begin(), seen.batch.labels.begin() + seen.batch.count);
  if (seen.logits.defined()) {
    rows_["logits"].push_back(seen.logits);
  }
  rows_["features"].push_back(seen.z.mean({2, 3}));
  if (seen.similarity.defined()) {
    rows_["similarity"].push_back(seen.similarity);
  }
  const auto * softmax =
    network_.has_head() ? dynamic_cast<const SoftmaxHead *>(&network_.head()) : nullptr;
  if (softmax == nullptr) {
    return;
  }
  rows_["ash"].push_back(ash_energy(seen.z, softmax->weight, softmax->bias));
  if (with_odin_) {
    rows_["odin"].push_back(odin(seen.images, [&](const torch::Tensor & images) {
      return softmax->logits(network_.backbone_map(images));
    }));
  }
}

ImageOutputs OutputCollector::result() const
{
  if (labels_.empty()) {
    throw Error("no image could be read");
  }
  std::map<std::string, torch::Tensor> tensors{{"labels", torch::tensor(labels_, torch::kInt64)}};
  for (const auto & [name, rows] : rows_) {
    tensors[name] = torch::cat(rows);
  }
  return ImageOutputs::from(tensors);
}

}  // namespace mgproto
