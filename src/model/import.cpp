// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/import.hpp"

#include <torch/torch.h>

#include <cmath>
#include <map>
#include <regex>
#include <set>

#include "mgproto_ros/error.hpp"
#include "model/checkpoint.hpp"
#include "model/checkpoint_file.hpp"
#include "model/torch_file.hpp"

namespace mgproto
{
namespace
{

constexpr const char * kAuthorsMeans = "prototype_means";          // [C, M, D]
constexpr const char * kAuthorsDeviations = "prototype_covs";      // [C, M, D], one value
constexpr const char * kAuthorsAggregation = "last_layer.weight";  // [C, C * M]
constexpr const char * kAddOnPrefix = "add_on.";

c10::ScalarType scalar_type(DType dtype)
{
  switch (dtype) {
    case DType::f16:
      return torch::kHalf;
    case DType::bf16:
      return torch::kBFloat16;
    case DType::f32:
      return torch::kFloat32;
    case DType::f64:
      return torch::kFloat64;
    case DType::u8:
      return torch::kUInt8;
    case DType::i8:
      return torch::kInt8;
    case DType::i16:
      return torch::kInt16;
    case DType::i32:
      return torch::kInt32;
    case DType::i64:
      return torch::kInt64;
    case DType::boolean:
      return torch::kBool;
  }
  return torch::kFloat32;
}

/// The tensors of a file under the names that torchvision uses today, each taken at most once.
class StateDict
{
public:
  explicit StateDict(const std::string & path) : path_(path), file_(read_torch_file(path))
  {
    for (const TorchTensor & tensor : file_) {
      tensors_.emplace(modern_name(tensor.name), &tensor);
    }
    join_branches();
  }

  const std::string & path() const { return path_; }
  bool has(const std::string & name) const { return tensors_.count(name) != 0; }

  const std::vector<std::int64_t> & shape(const std::string & name) const
  {
    return find(name).shape;
  }

  torch::Tensor take(const std::string & name)
  {
    const TorchTensor & tensor = find(name);
    taken_.insert(&tensor);
    return torch::from_blob(
             const_cast<std::byte *>(tensor.data.data()), tensor.shape,
             torch::TensorOptions().dtype(scalar_type(tensor.dtype)))
      .to(torch::kFloat32)
      .clone();
  }

  std::vector<std::string> not_taken() const
  {
    std::vector<std::string> names;
    for (const TorchTensor & tensor : file_) {
      // Batch-norm's step counter is in every file and has no effect.
      const bool counter = tensor.name.find("num_batches_tracked") != std::string::npos;
      if (taken_.count(&tensor) == 0 && !counter) {
        names.push_back(tensor.name);
      }
    }
    return names;
  }

private:
  /// BBN (the iNaturalist weights) splits a ResNet's last block in two branches: they become the last
  /// two blocks of layer4, as the MGProto authors have it.
  void join_branches()
  {
    int block = 0;
    while (has("layer4." + std::to_string(block) + ".conv1.weight")) {
      ++block;
    }
    for (const std::string branch : {"cb_block.", "rb_block."}) {
      const auto begin = tensors_.lower_bound(branch);
      auto end = begin;
      while (end != tensors_.end() && end->first.rfind(branch, 0) == 0) {
        tensors_.emplace(
          "layer4." + std::to_string(block) + "." + end->first.substr(branch.size()), end->second);
        ++end;
      }
      block += begin == end ? 0 : 1;
    }
  }

  /// Without the prefixes of DataParallel and BBN, and with the numbering of DenseNet layers as it is since 2018.
  static std::string modern_name(std::string name)
  {
    for (const std::string prefix : {"module.", "backbone."}) {
      if (name.rfind(prefix, 0) == 0) {
        name = name.substr(prefix.size());
      }
    }
    static const std::regex kOldDenseLayer(R"((.*denselayer\d+\.(?:norm|conv))\.([12]\..*))");
    return std::regex_replace(name, kOldDenseLayer, "$1$2");
  }

  const TorchTensor & find(const std::string & name) const
  {
    const auto found = tensors_.find(name);
    if (found == tensors_.end()) {
      throw FileError(path_, "holds no tensor '" + name + "'");
    }
    return *found->second;
  }

  std::string path_;
  std::vector<TorchTensor> file_;
  std::map<std::string, const TorchTensor *> tensors_;
  std::set<const TorchTensor *> taken_;
};

int count_blocks(const StateDict & state, const std::string & prefix)
{
  int blocks = 0;
  while (state.has(prefix + std::to_string(blocks) + ".conv1.weight")) {
    ++blocks;
  }
  return blocks;
}

void infer_resnet(const StateDict & state, const std::string & prefix, BackboneConfig & backbone)
{
  static const std::map<std::pair<bool, std::vector<int>>, std::string> kKnown{
    {{false, {2, 2, 2, 2}}, "resnet18"},  {{false, {3, 4, 6, 3}}, "resnet34"},
    {{true, {3, 4, 6, 3}}, "resnet50"},   {{true, {3, 4, 23, 3}}, "resnet101"},
    {{true, {3, 8, 36, 3}}, "resnet152"},
  };
  const bool bottleneck = state.has(prefix + "layer1.0.conv3.weight");
  std::vector<int> stages;
  for (int stage = 1; stage <= 4; ++stage) {
    stages.push_back(count_blocks(state, prefix + "layer" + std::to_string(stage) + "."));
  }
  const auto found = kKnown.find({bottleneck, stages});
  if (found != kKnown.end()) {
    backbone.architecture = found->second;
  } else {
    backbone.architecture = bottleneck ? "resnet50" : "resnet18";
    backbone.stages = stages;
  }
  const auto & stem = state.shape(prefix + "conv1.weight");
  if (stem.size() == 4) {
    backbone.width = static_cast<double>(stem[0]) / 64;
    backbone.stem = stem[3] == 3 ? "cifar" : "imagenet";
  }
}

void infer_vgg(const StateDict & state, const std::string & prefix, BackboneConfig & backbone)
{
  int convolutions = 0;
  for (int i = 0; i < 64; ++i) {
    const std::string name = prefix + "features." + std::to_string(i) + ".weight";
    convolutions += state.has(name) && state.shape(name).size() == 4 ? 1 : 0;
  }
  const bool batch_norm = state.has(prefix + "features.1.running_mean");
  backbone.architecture =
    std::string(convolutions > 13 ? "vgg19" : "vgg16") + (batch_norm ? "_bn" : "");
}

/// What names and shapes say about the network. `prefix` stands in front of torchvision's names.
void infer_backbone(const StateDict & state, const std::string & prefix, BackboneConfig & backbone)
{
  if (state.has(prefix + "conv1.weight") && state.has(prefix + "layer1.0.conv1.weight")) {
    infer_resnet(state, prefix, backbone);
  } else if (state.has(prefix + "features.conv0.weight")) {
    const auto & stem = state.shape(prefix + "features.conv0.weight");
    backbone.architecture = !stem.empty() && stem[0] == 96 ? "densenet161" : "densenet121";
  } else if (state.has(prefix + "features.0.weight")) {
    infer_vgg(state, prefix, backbone);
  } else {
    throw FileError(
      state.path(),
      "its tensors are not those of a VGG, ResNet or DenseNet with torchvision's names");
  }
}

void fill(Network & network, StateDict & state, const std::string & prefix)
{
  for (auto & [name, tensor] : checkpoint_tensors(network)) {
    std::string theirs;
    if (name.rfind(kBackbonePrefix, 0) == 0) {
      theirs = prefix + name.substr(std::string(kBackbonePrefix).size());
    } else if (name.rfind(kAddOnPrefix, 0) == 0) {
      theirs = "add_on_layers." + name.substr(std::string(kAddOnPrefix).size());
    } else {
      continue;  // the head was built from its tensors
    }
    const torch::Tensor value = state.take(theirs);
    if (value.sizes() != tensor.sizes()) {
      std::ostringstream problem;
      problem << "tensor '" << theirs << "' has shape " << value.sizes() << ", "
              << network.config().backbone.architecture << " needs " << tensor.sizes();
      throw FileError(state.path(), problem.str());
    }
    tensor.copy_(value);
  }
}

/// kappa of Sigma = I / (2 pi kappa), from the authors' tensor of standard deviations.
double read_concentration(StateDict & state)
{
  if (!state.has(kAuthorsDeviations)) {
    return 1.0;
  }
  const torch::Tensor deviation = state.take(kAuthorsDeviations);
  const double low = deviation.min().item<double>();
  const double high = deviation.max().item<double>();
  if (!(low > 0) || high - low > 1e-5 * high) {
    throw FileError(
      state.path(), std::string("tensor '") + kAuthorsDeviations +
                      "' must hold one positive deviation for all prototypes");
  }
  const double concentration = 1.0 / (2 * M_PI * high * high);
  return std::abs(concentration - 1) < 1e-5 ? 1.0 : concentration;
}

/// The authors' mixtures. They prune by setting a weight to 0: those prototypes are left out.
std::shared_ptr<GaussianHead> read_head(StateDict & state, Manifest & manifest)
{
  const torch::Tensor means = state.take(kAuthorsMeans);
  const torch::Tensor weights = state.take(kAuthorsAggregation);
  if (means.dim() != 3 || means.numel() == 0) {
    throw FileError(state.path(), std::string("tensor '") + kAuthorsMeans + "' must be [C, M, D]");
  }
  const std::int64_t classes = means.size(0);
  const std::int64_t per_class = means.size(1);
  if (weights.sizes() != c10::IntArrayRef({classes, classes * per_class})) {
    throw FileError(
      state.path(), std::string("tensor '") + kAuthorsAggregation + "' must be [C, C * M]");
  }
  std::vector<torch::Tensor> kept_means;
  std::vector<float> kept_priors;
  std::vector<int> prototype_class;
  for (std::int64_t c = 0; c < classes; ++c) {
    for (std::int64_t m = 0; m < per_class; ++m) {
      const auto prior = weights[c][c * per_class + m].item<float>();
      if (prior != 0) {
        kept_means.push_back(means[c][m]);
        kept_priors.push_back(prior);
        prototype_class.push_back(static_cast<int>(c));
      }
    }
    if (prototype_class.empty() || prototype_class.back() != c) {
      throw FileError(
        state.path(), "class " + std::to_string(c) + " has no prototype with a weight above 0");
    }
  }
  const bool pruned = static_cast<std::int64_t>(kept_priors.size()) < classes * per_class;
  manifest.stage = pruned ? Stage::pruned : Stage::trained;
  manifest.model.head.feature_dim = static_cast<int>(means.size(2));
  manifest.model.head.concentration = read_concentration(state);
  return std::make_shared<GaussianHead>(
    torch::stack(kept_means), torch::tensor(kept_priors), prototype_class, manifest.model.head);
}

std::vector<std::string> class_names(const std::vector<std::string> & given, int classes)
{
  if (!given.empty() && static_cast<int>(given.size()) != classes) {
    throw ConfigError(
      "classes", std::to_string(given.size()) + " names for " + std::to_string(classes) +
                   " classes in the file");
  }
  std::vector<std::string> names = given;
  for (int c = static_cast<int>(names.size()); c < classes; ++c) {
    names.push_back("class_" + std::to_string(c));
  }
  return names;
}

}  // namespace

ImportSummary import_state_dict(
  const std::string & path, const std::string & output, const ImportOptions & options)
{
  torch::NoGradGuard no_grad;
  StateDict state(path);
  const bool full_model = state.has(kAuthorsMeans);
  const std::string prefix = full_model ? "features." : "";

  Manifest manifest;
  manifest.preprocessing = options.preprocessing;
  BackboneConfig & backbone = manifest.model.backbone;
  if (options.architecture.empty()) {
    infer_backbone(state, prefix, backbone);
  } else {
    backbone.architecture = options.architecture;
  }
  backbone.stem_pool = options.stem_pool;
  backbone.upsample = options.upsample;
  backbone.map = options.map;
  backbone.stride_in_1x1 = options.stride_in_1x1;

  std::shared_ptr<GaussianHead> head;
  if (full_model) {
    head = read_head(state, manifest);
    manifest.classes = class_names(options.classes, head->classes());
  } else {
    manifest.stage = Stage::backbone;
  }
  Network network(manifest.model, head);
  fill(network, state, prefix);
  save_checkpoint(output, network, manifest, options.storage);
  // What was written must be what can be read: a NaN in the state_dict comes out here.
  return {CheckpointFile::open(output).manifest(), state.not_taken()};
}

}  // namespace mgproto
