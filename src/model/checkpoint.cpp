// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/checkpoint.hpp"

#include <torch/torch.h>

#include "mgproto_ros/error.hpp"
#include "model/checkpoint_file.hpp"
#include "model/heads/make_head.hpp"

namespace mgproto
{
namespace
{

/// A float32 tensor in the file, which is read where it lies.
torch::Tensor view_float(const CheckpointFile & file, const std::string & name)
{
  const TensorView & view = file.tensor(name);
  if (view.dtype != DType::f32) {
    throw FileError(
      file.path(), "tensor '" + name + "' is " + mgproto::name(view.dtype) + ", expected " +
                     mgproto::name(DType::f32));
  }
  // from_blob wants a mutable pointer; nobody writes through it.
  return torch::from_blob(
    const_cast<std::byte *>(view.data), view.shape, torch::TensorOptions().dtype(torch::kFloat32));
}

std::string shape_text(c10::IntArrayRef shape)
{
  std::string text;
  for (const auto size : shape) {
    text += (text.empty() ? "" : ", ") + std::to_string(size);
  }
  return "[" + text + "]";
}

bool ends_with(const std::string & text, const std::string & ending)
{
  return text.size() >= ending.size() &&
         text.compare(text.size() - ending.size(), ending.size(), ending) == 0;
}

}  // namespace

std::vector<std::pair<std::string, torch::Tensor>> checkpoint_tensors(Network & network)
{
  std::vector<std::pair<std::string, torch::Tensor>> result;
  for (const auto & parameter : network.named_parameters()) {
    result.emplace_back(parameter.key(), parameter.value());
  }
  for (const auto & buffer : network.named_buffers()) {
    // The head's derived buffers are rebuilt, and batch-norm's step counter has no effect.
    const bool derived = ends_with(buffer.key(), "num_batches_tracked") ||
                         buffer.key() == "head.slots" || buffer.key() == "head.class_priors";
    if (!derived) {
      result.emplace_back(buffer.key(), buffer.value());
    }
  }
  return result;
}

Checkpoint load_checkpoint(const std::string & path)
{
  const CheckpointFile file = CheckpointFile::open(path);
  Checkpoint checkpoint;
  checkpoint.manifest = file.manifest();
  const Manifest & manifest = checkpoint.manifest;

  torch::NoGradGuard no_grad;
  try {
    std::shared_ptr<Head> head;
    if (manifest.stage != Stage::backbone) {
      head = make_head(
        manifest.model.head, static_cast<int>(manifest.classes.size()), manifest.prototype_class);
    }
    checkpoint.network = std::make_shared<Network>(manifest.model, head, Weights::unset);
    if (checkpoint.network->has_density()) {
      checkpoint.network->gaussian_head().class_priors.copy_(
        torch::tensor(manifest.class_priors, torch::kFloat64));
    }
  } catch (const ConfigError & error) {
    throw FileError(path, std::string("manifest.model.") + error.what());
  }

  for (auto & [name, tensor] : checkpoint_tensors(*checkpoint.network)) {
    const torch::Tensor stored = view_float(file, name);
    if (stored.sizes() != tensor.sizes()) {
      throw FileError(
        path, "tensor '" + name + "' has shape " + shape_text(stored.sizes()) + ", expected " +
                shape_text(tensor.sizes()));
    }
    if (ends_with(name, "running_var") && stored.numel() > 0 && stored.min().item<float>() < 0) {
      throw FileError(path, "tensor '" + name + "' holds a negative variance");
    }
    tensor.copy_(stored);
  }
  return checkpoint;
}

Checkpoint load_mixtures(const std::string & path)
{
  Checkpoint checkpoint = load_checkpoint(path);
  if (!checkpoint.network->has_head()) {
    throw FileError(
      path, "holds only a backbone to start training from, no prototypes to recognise with");
  }
  if (!checkpoint.network->has_density()) {
    throw FileError(
      path, "has a head of kind '" + checkpoint.manifest.model.head.kind +
              "', which has no p(x) to tell the unknown by: expected mgproto");
  }
  return checkpoint;
}

void save_checkpoint(const std::string & path, Network & network, const Manifest & manifest)
{
  torch::NoGradGuard no_grad;
  Manifest complete = manifest;
  complete.model = network.config();
  std::vector<std::pair<std::string, torch::Tensor>> tensors = checkpoint_tensors(network);
  if (network.has_head()) {
    complete.class_priors.assign(complete.classes.size(), 1.0 / network.head().classes());
    complete.prototype_class.clear();
  }
  if (network.has_density()) {
    const torch::Tensor class_priors =
      network.gaussian_head().class_priors.to(torch::kCPU, torch::kFloat64).contiguous();
    complete.class_priors.assign(
      class_priors.data_ptr<double>(), class_priors.data_ptr<double>() + class_priors.numel());
  }
  if (const PrototypeHead * head = network.prototype_head()) {
    complete.prototype_class = head->prototype_class();
    tensors.emplace_back(
      kPrototypeClassTensor, torch::tensor(complete.prototype_class, torch::kInt32));
  }
  if (!network.has_head()) {
    complete.stage = Stage::backbone;
  }

  std::vector<TensorToWrite> to_write;
  for (auto & [name, tensor] : tensors) {
    const bool integer = name == kPrototypeClassTensor;
    tensor = tensor.to(torch::kCPU, integer ? torch::kInt32 : torch::kFloat32).contiguous();
    to_write.push_back(
      {name, integer ? DType::i32 : DType::f32, tensor.sizes().vec(), tensor.data_ptr(),
       tensor.nbytes()});
  }
  write_checkpoint_file(path, to_write, complete);
}

}  // namespace mgproto
