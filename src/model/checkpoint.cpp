// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/checkpoint.hpp"

#include <torch/torch.h>

#include <filesystem>

#include "mgproto_ros/error.hpp"
#include "model/checkpoint_file.hpp"
#include "model/heads/make_head.hpp"

namespace mgproto
{
namespace
{

/// [out] -> [out, 1, 1, 1]
torch::Tensor for_each_channel(const torch::Tensor & scales) { return scales.view({-1, 1, 1, 1}); }

/// What a network saw of images is kept in half precision, with which it is made.
bool is_seen(const std::string & name) { return name.rfind("seen.", 0) == 0; }

/// A float32 tensor in the file, which is read where it lies; of one in eight bits the values.
torch::Tensor view_float(const CheckpointFile & file, const std::string & name)
{
  const TensorView & view = file.tensor(name);
  // from_blob wants a mutable pointer; nobody writes through it.
  const auto as = [&](c10::ScalarType type) {
    return torch::from_blob(
      const_cast<std::byte *>(view.data), view.shape, torch::TensorOptions().dtype(type));
  };
  if (view.dtype == DType::i8) {
    const torch::Tensor scales = view_float(file, scale_name(name));
    return as(torch::kInt8).to(torch::kFloat32) * for_each_channel(scales);
  }
  if (view.dtype == DType::f16 && is_seen(name)) {
    return as(torch::kHalf).to(torch::kFloat32);
  }
  if (view.dtype != DType::f32) {
    throw FileError(
      file.path(), "tensor '" + name + "' is " + mgproto::name(view.dtype) + ", expected " +
                     mgproto::name(DType::f32));
  }
  return as(torch::kFloat32);
}

/// Symmetric, with a step for each output channel: the integers [out, in, h, w] and the steps [out].
std::pair<torch::Tensor, torch::Tensor> in_eight_bits(const torch::Tensor & weights)
{
  torch::Tensor scales = weights.abs().amax({1, 2, 3}) / 127;
  scales = torch::where(scales == 0, torch::ones_like(scales), scales);  // all weights are 0
  const torch::Tensor steps = (weights / for_each_channel(scales)).round().clamp(-127, 127);
  return {steps.to(torch::kInt8), scales};
}

DType dtype_of(const torch::Tensor & tensor)
{
  switch (tensor.scalar_type()) {
    case torch::kInt8:
      return DType::i8;
    case torch::kInt32:
      return DType::i32;
    case torch::kHalf:
      return DType::f16;
    default:
      return DType::f32;
  }
}

/// Whether that file stands beside `path`, which does not take its place, with the tensors it is to have.
bool is_beside(const std::string & path, const BackboneFile & backbone)
{
  try {
    return path != beside(path, backbone) &&
           CheckpointFile::open(beside(path, backbone)).manifest().tensors_sha256 ==
             backbone.tensors_sha256;
  } catch (const FileError &) {
    return false;
  }
}

/// Whether a model at `path` with this backbone may refer to that file.
bool may_refer(const std::string & path, const BackboneFile & backbone, Network & network)
{
  if (path == beside(path, backbone)) {
    return false;  // is about to be replaced
  }
  try {
    return backbone_in(beside(path, backbone), network).tensors_sha256 == backbone.tensors_sha256;
  } catch (const FileError &) {
    return false;
  }
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

bool of_backbone(const std::string & name) { return name.rfind(kBackbonePrefix, 0) == 0; }

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

namespace
{

/// Every image that the model keeps is of one of its classes, and those of taught ones are as many as the
/// manifest lists.
void check_seen(const std::string & path, const Checkpoint & checkpoint)
{
  const SeenImages * seen = checkpoint.network->seen();
  if (seen == nullptr) {
    return;
  }
  const Manifest & manifest = checkpoint.manifest;
  const auto classes = static_cast<std::int64_t>(manifest.classes.size());
  const torch::Tensor labels = seen->classes();
  if (!labels.ge(0).logical_and(labels.lt(classes)).all().item<bool>()) {
    throw FileError(path, "tensor 'seen.labels' names a class that the model does not have");
  }
  for (std::size_t t = 0; t < manifest.taught.size(); ++t) {
    const auto class_id = classes - static_cast<std::int64_t>(manifest.taught.size() - t);
    if (
      labels.eq(class_id).sum().item<std::int64_t>() !=
      static_cast<std::int64_t>(manifest.taught[t].images.size())) {
      throw FileError(
        path, "tensor 'seen.labels' has another number of images of '" + manifest.taught[t].name +
                "' than manifest.taught");
    }
  }
}

}  // namespace

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
  check_seen(path, checkpoint);
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

BackboneFile backbone_in(const std::string & path, Network & network)
{
  const CheckpointFile file = CheckpointFile::open(path);
  if (file.manifest().backbone_file) {
    throw FileError(path, "refers to a backbone file, expected one that holds the backbone itself");
  }
  for (const auto & [name, tensor] : checkpoint_tensors(network)) {
    if (of_backbone(name) && !view_float(file, name).equal(tensor.to(torch::kCPU))) {
      throw FileError(path, "tensor '" + name + "' is not that of the model's backbone");
    }
  }
  return {std::filesystem::path(path).filename().string(), file.manifest().tensors_sha256};
}

namespace
{

/// The manifest with what the network says itself.
Manifest completed(const Manifest & manifest, Network & network)
{
  Manifest complete = manifest;
  complete.model = network.config();
  if (network.has_head()) {
    complete.class_priors.assign(complete.classes.size(), 1.0 / network.head().classes());
    complete.prototype_class.clear();
  } else {
    complete.stage = Stage::backbone;
  }
  if (network.has_density()) {
    const torch::Tensor class_priors =
      network.gaussian_head().class_priors.to(torch::kCPU, torch::kFloat64).contiguous();
    complete.class_priors.assign(
      class_priors.data_ptr<double>(), class_priors.data_ptr<double>() + class_priors.numel());
    const torch::Tensor priors = network.gaussian_head().priors.to(torch::kCPU).contiguous();
    complete.prototype_prior.assign(
      priors.data_ptr<float>(), priors.data_ptr<float>() + priors.numel());
  }
  if (const PrototypeHead * head = network.prototype_head()) {
    complete.prototype_class = head->prototype_class();
  }
  return complete;
}

using NamedTensors = std::vector<std::pair<std::string, torch::Tensor>>;

/// As they are stored: all but the backbone's, which are added to them.
void add_stored(NamedTensors & stored, Network & network, const Manifest & manifest)
{
  for (const auto & [name, tensor] : checkpoint_tensors(network)) {
    if (!of_backbone(name)) {
      const torch::Tensor values = tensor.to(torch::kCPU, torch::kFloat32).contiguous();
      stored.emplace_back(name, is_seen(name) ? values.to(torch::kHalf) : values);
    }
  }
  if (network.prototype_head() != nullptr) {
    stored.emplace_back(
      kPrototypeClassTensor, torch::tensor(manifest.prototype_class, torch::kInt32));
  }
}

std::vector<TensorToWrite> to_write(const NamedTensors & stored)
{
  std::vector<TensorToWrite> tensors;
  for (const auto & [name, tensor] : stored) {
    tensors.push_back(
      {name, dtype_of(tensor), tensor.sizes().vec(), tensor.data_ptr(), tensor.nbytes()});
  }
  return tensors;
}

}  // namespace

void save_checkpoint(
  const std::string & path, Network & network, const Manifest & manifest, WeightStorage storage)
{
  const torch::NoGradGuard no_grad;
  Manifest complete = completed(manifest, network);
  if (complete.backbone_file && !may_refer(path, *complete.backbone_file, network)) {
    complete.backbone_file.reset();
  }

  NamedTensors stored;
  for (const auto & [name, tensor] : checkpoint_tensors(network)) {
    if (complete.backbone_file || !of_backbone(name)) {
      continue;
    }
    const torch::Tensor values = tensor.to(torch::kCPU, torch::kFloat32).contiguous();
    if (storage == WeightStorage::eight_bit && values.dim() == 4) {
      const auto [steps, scales] = in_eight_bits(values);
      stored.emplace_back(name, steps);
      stored.emplace_back(scale_name(name), scales);
    } else {
      stored.emplace_back(name, values);
    }
  }
  add_stored(stored, network, complete);
  write_checkpoint_file(path, to_write(stored), complete);
}

Manifest save_with_backbone_of(
  const std::string & source, const std::string & path, Network & network,
  const Manifest & manifest)
{
  const torch::NoGradGuard no_grad;
  const CheckpointFile file = CheckpointFile::open(source);
  if (file.manifest().tensors_sha256 != manifest.tensors_sha256) {
    throw FileError(source, "is not the file any more that the model came from");
  }
  Manifest complete = completed(manifest, network);
  complete.backbone_file = file.manifest().backbone_file;
  // Beside the source it was found a moment ago.
  const auto directory = [](const std::string & name) {
    return std::filesystem::path(name).parent_path();
  };
  if (
    complete.backbone_file && directory(path) != directory(source) &&
    !is_beside(path, *complete.backbone_file)) {
    complete.backbone_file.reset();
  }
  NamedTensors stored;
  add_stored(stored, network, complete);
  std::vector<TensorToWrite> tensors = to_write(stored);
  if (!complete.backbone_file) {
    for (const auto & [name, view] : file.tensors()) {
      if (of_backbone(name)) {
        tensors.push_back({name, view.dtype, view.shape, view.data, view.bytes});
      }
    }
  }
  return write_checkpoint_file(path, std::move(tensors), complete);
}

}  // namespace mgproto
