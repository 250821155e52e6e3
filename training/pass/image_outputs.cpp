// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/pass/image_outputs.hpp"

#include <torch/torch.h>

#include "mgproto_ros/error.hpp"

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
  function("images", outputs.images);
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

void OutputCollector::add(const BatchOutputs & batch)
{
  rows_["labels"].push_back(batch.labels());
  rows_["images"].push_back(torch::tensor(batch.batch().images, torch::kInt64));
  for (const auto & [name, column] : columns_) {
    if (const torch::Tensor rows = column(batch); rows.defined()) {
      rows_[name].push_back(rows);
    }
  }
}

ImageOutputs OutputCollector::result() const
{
  if (rows_.empty()) {
    throw Error("no image could be read");
  }
  std::map<std::string, torch::Tensor> tensors;
  for (const auto & [name, rows] : rows_) {
    tensors[name] = torch::cat(rows);
  }
  return ImageOutputs::from(tensors);
}

ImageOutputs collect(
  Network & network, Loader & loader, const Progress & progress, const Columns & columns)
{
  OutputCollector collector(columns);
  for_each_batch(
    network, loader, progress, [&](const BatchOutputs & batch) { collector.add(batch); });
  return collector.result();
}

}  // namespace mgproto
