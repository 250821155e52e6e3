// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/checkpoint_file.hpp"

#include <cmath>
#include <cstring>
#include <filesystem>

#include "mgproto_ros/error.hpp"
#include "model/manifest_json.hpp"
#include "model/number_text.hpp"
#include "model/preprocessing.hpp"
#include "model/printable.hpp"

namespace mgproto
{
namespace
{

constexpr const char * kManifestKey = "mgproto";
constexpr double kSumTolerance = 1e-3;
constexpr const char * kMixtures = "mgproto";  // the kind of head that has priors

std::string patch_name(std::size_t prototype)
{
  return "prototype.patch." + std::to_string(prototype);
}

std::string picture_name(std::size_t image) { return "taught.picture." + std::to_string(image); }

/// Of all taught classes' images, in their order.
template <typename Manifest_, typename Look>
void for_each_picture(Manifest_ & manifest, const Look & look)
{
  std::size_t image = 0;
  for (auto & taught : manifest.taught) {
    for (auto & shown : taught.images) {
      look(picture_name(image++), shown.picture);
    }
  }
}

[[noreturn]] void fail(const std::string & path, const std::string & problem)
{
  throw FileError(path, problem);
}

[[noreturn]] void fail_tensor(
  const std::string & path, const std::string & tensor, const std::string & problem)
{
  throw FileError(path, "tensor '" + tensor + "' " + problem);
}

void check_finite(const std::string & path, const std::string & name, const TensorView & tensor)
{
  const auto check = [&](const auto * values, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      if (!std::isfinite(values[i])) {
        fail_tensor(path, name, "holds a NaN or infinity at element " + std::to_string(i));
      }
    }
  };
  if (tensor.dtype == DType::f32) {
    check(reinterpret_cast<const float *>(tensor.data), tensor.bytes / sizeof(float));
  } else if (tensor.dtype == DType::f64) {
    check(reinterpret_cast<const double *>(tensor.data), tensor.bytes / sizeof(double));
  } else if (tensor.dtype == DType::f16) {
    const auto * bits = reinterpret_cast<const std::uint16_t *>(tensor.data);
    constexpr std::uint16_t kExponent = 0x7C00;  // all of it set: not a number, or infinite
    for (std::size_t i = 0; i < tensor.bytes / sizeof(std::uint16_t); ++i) {
      if ((bits[i] & kExponent) == kExponent) {
        fail_tensor(path, name, "holds a NaN or infinity at element " + std::to_string(i));
      }
    }
  }
}

const TensorView & expect(
  const SafetensorsFile & file, const std::string & name, DType dtype, std::size_t dimensions)
{
  const TensorView & tensor = file.tensor(name);
  if (tensor.dtype != dtype) {
    fail_tensor(
      file.path(), name,
      std::string("is ") + mgproto::name(tensor.dtype) + ", expected " + mgproto::name(dtype));
  }
  if (tensor.shape.size() != dimensions) {
    fail_tensor(
      file.path(), name,
      "has " + std::to_string(tensor.shape.size()) + " dimensions, expected " +
        std::to_string(dimensions));
  }
  return tensor;
}

/// Of every tensor in eight bits: one scale for each output channel, with which no weight overflows.
void check_scales(const SafetensorsFile & file)
{
  for (const auto & [weights, tensor] : file.tensors()) {
    if (tensor.dtype != DType::i8) {
      continue;
    }
    expect(file, weights, DType::i8, 4);
    const std::string name = scale_name(weights);
    const TensorView & scales = expect(file, name, DType::f32, 1);
    if (scales.shape[0] != tensor.shape[0]) {
      fail_tensor(
        file.path(), name,
        "has " + std::to_string(scales.shape[0]) + " elements for " +
          std::to_string(tensor.shape[0]) + " output channels");
    }
    const auto * values = reinterpret_cast<const float *>(scales.data);
    for (std::int64_t i = 0; i < scales.shape[0]; ++i) {
      if (!(values[i] > 0 && values[i] < 0x1p121f)) {
        fail_tensor(
          file.path(), name,
          "has " + general(values[i], 6) + " at element " + std::to_string(i) +
            ", expected a scale above 0 and below 2^121");
      }
    }
  }
}

template <typename T>
std::vector<T> values_of(const TensorView & tensor)
{
  std::vector<T> values(tensor.bytes / sizeof(T));
  if (!values.empty()) {
    std::memcpy(values.data(), tensor.data, tensor.bytes);
  }
  return values;
}

void check_class_priors(const std::string & path, const Manifest & manifest)
{
  double sum = 0;
  for (std::size_t c = 0; c < manifest.classes.size(); ++c) {
    if (manifest.class_priors[c] <= 0) {
      fail(path, "manifest.class_priors: class '" + manifest.classes[c] + "' has no p(c) above 0");
    }
    sum += manifest.class_priors[c];
  }
  if (std::abs(sum - 1) > kSumTolerance) {
    fail(path, "manifest.class_priors: sum to " + std::to_string(sum) + ", expected 1");
  }
}

void check_prototypes(const std::string & path, const Manifest & manifest)
{
  const auto classes = static_cast<int>(manifest.classes.size());
  const std::size_t prototypes = manifest.prototype_class.size();
  std::vector<int> count(classes, 0);
  int previous = 0;
  for (std::size_t k = 0; k < prototypes; ++k) {
    const int c = manifest.prototype_class[k];
    if (c < previous || c >= classes) {
      fail_tensor(
        path, kPrototypeClassTensor,
        "has class " + std::to_string(c) + " at element " + std::to_string(k) +
          ", expected rising classes below " + std::to_string(classes));
    }
    ++count[c];
    previous = c;
  }
  for (int c = 0; c < classes; ++c) {
    if (count[c] == 0) {
      fail_tensor(
        path, kPrototypeClassTensor,
        "leaves class '" + manifest.classes[c] + "' without a prototype");
    }
  }
  if (!manifest.prototypes.empty() && manifest.prototypes.size() != prototypes) {
    fail(
      path, "manifest.prototypes: " + std::to_string(manifest.prototypes.size()) + " entries for " +
              std::to_string(prototypes) + " prototypes");
  }
}

void check_priors(const std::string & path, const Manifest & manifest)
{
  std::vector<double> sum(manifest.classes.size(), 0.0);
  for (std::size_t k = 0; k < manifest.prototype_prior.size(); ++k) {
    const float prior = manifest.prototype_prior[k];
    if (prior < 0) {
      fail_tensor(
        path, kPriorsTensor,
        "has the negative prior " + std::to_string(prior) + " at element " + std::to_string(k));
    }
    sum[manifest.prototype_class[k]] += prior;
  }
  for (std::size_t c = 0; c < sum.size(); ++c) {
    const std::string sum_text =
      "give class '" + manifest.classes[c] + "' a sum of " + std::to_string(sum[c]);
    if (manifest.stage == Stage::pruned) {
      if (sum[c] <= 0 || sum[c] > 1 + kSumTolerance) {
        fail_tensor(path, kPriorsTensor, sum_text + ", expected at most 1 and above 0");
      }
    } else if (std::abs(sum[c] - 1) > kSumTolerance) {
      fail_tensor(path, kPriorsTensor, sum_text + ", expected 1");
    }
  }
}

void read_head(const SafetensorsFile & file, Manifest & manifest)
{
  const std::string & path = file.path();
  if (manifest.classes.empty()) {
    fail(path, "manifest.classes: a model needs at least one class");
  }
  check_class_priors(path, manifest);
  const bool mixtures = manifest.model.head.kind == kMixtures;
  if (!mixtures && file.tensors().count(kMeansTensor) == 0) {
    if (!manifest.prototypes.empty()) {
      fail(path, "manifest.prototypes: entries for a head without prototypes");
    }
    return;
  }
  const TensorView & means = expect(file, kMeansTensor, DType::f32, 2);
  const auto expect_for_each = [&](const char * name, DType dtype) -> const TensorView & {
    const TensorView & tensor = expect(file, name, dtype, 1);
    if (tensor.shape[0] != means.shape[0]) {
      fail_tensor(
        path, name,
        "has " + std::to_string(tensor.shape[0]) + " elements for " +
          std::to_string(means.shape[0]) + " prototypes");
    }
    return tensor;
  };
  if (mixtures) {
    manifest.prototype_prior = values_of<float>(expect_for_each(kPriorsTensor, DType::f32));
  }
  manifest.prototype_class = values_of<int>(expect_for_each(kPrototypeClassTensor, DType::i32));
  check_prototypes(path, manifest);
  if (mixtures) {
    check_priors(path, manifest);
  }

  for (std::size_t k = 0; k < manifest.prototypes.size(); ++k) {
    const std::string name = patch_name(k);
    if (manifest.prototypes[k] && file.tensors().count(name) != 0) {
      manifest.prototypes[k]->patch = values_of<std::uint8_t>(expect(file, name, DType::u8, 1));
    }
  }
  for_each_picture(manifest, [&](const std::string & name, std::vector<std::uint8_t> & picture) {
    picture = values_of<std::uint8_t>(expect(file, name, DType::u8, 1));
  });
}

}  // namespace

std::string beside(const std::string & path, const BackboneFile & backbone)
{
  return std::filesystem::path(path).replace_filename(backbone.name).string();
}

std::string scale_name(const std::string & weights) { return weights + ".scale"; }

CheckpointFile CheckpointFile::open(const std::string & path)
{
  CheckpointFile file = open_alone(path);
  if (file.manifest_.backbone_file) {
    file.add_backbone();
  }
  return file;
}

CheckpointFile CheckpointFile::open_alone(const std::string & path)
{
  SafetensorsFile file = SafetensorsFile::open(path);
  const auto found = file.metadata().find(kManifestKey);
  if (found == file.metadata().end()) {
    fail(path, "holds no manifest: a safetensors file, but not a checkpoint of mgproto");
  }
  Manifest manifest;
  try {
    manifest = manifest_from_json(found->second);
    check(manifest.preprocessing);
  } catch (const ConfigError & error) {
    fail(path, error.what());
  }
  if (file.tensors_sha256() != manifest.tensors_sha256) {
    fail(path, "the tensors are not those that were written (SHA-256 differs): damaged file");
  }
  for (const auto & [name, tensor] : file.tensors()) {
    check_finite(path, name, tensor);
  }
  check_scales(file);
  if (manifest.stage != Stage::backbone) {
    read_head(file, manifest);
  }
  return CheckpointFile(std::move(file), std::move(manifest));
}

void CheckpointFile::add_backbone()
{
  const BackboneFile & wanted = *manifest_.backbone_file;
  const std::string where = beside(path(), wanted);
  const auto refuse = [&](const std::string & problem) {
    fail(
      path(), "needs the backbone in " + where + " with tensors of SHA-256 " +
                printable(wanted.tensors_sha256) + ": " + problem);
  };
  std::optional<CheckpointFile> found;
  try {
    found = open_alone(where);
  } catch (const FileError & error) {
    refuse(error.what());
  }
  if (found->manifest_.tensors_sha256 != wanted.tensors_sha256) {
    refuse("that file's have " + found->manifest_.tensors_sha256);
  }
  if (found->manifest_.backbone_file) {
    refuse("that file refers to a further one");
  }
  for (const auto & [name, tensor] : found->tensors_) {
    if (name.rfind(kBackbonePrefix, 0) == 0 && !tensors_.emplace(name, tensor).second) {
      fail_tensor(path(), name, "is in this file and in its backbone's");
    }
  }
  backbone_ = std::move(found->file_);
}

const TensorView & CheckpointFile::tensor(const std::string & name) const
{
  const auto found = tensors_.find(name);
  if (found != tensors_.end()) {
    return found->second;
  }
  const bool elsewhere = backbone_ && name.rfind(kBackbonePrefix, 0) == 0;
  return (elsewhere ? *backbone_ : file_).tensor(name);
}

Manifest write_checkpoint_file(
  const std::string & path, std::vector<TensorToWrite> tensors, Manifest manifest)
{
  const auto add_bytes = [&](const std::string & name, const std::vector<std::uint8_t> & bytes) {
    tensors.push_back(
      {name, DType::u8, {static_cast<std::int64_t>(bytes.size())}, bytes.data(), bytes.size()});
  };
  for_each_picture(manifest, add_bytes);
  for (std::size_t k = 0; k < manifest.prototypes.size(); ++k) {
    if (manifest.prototypes[k] && !manifest.prototypes[k]->patch.empty()) {
      add_bytes(patch_name(k), manifest.prototypes[k]->patch);
    }
  }
  manifest.tensors_sha256 = tensors_sha256(tensors);
  write_safetensors(path, tensors, {{"format", "pt"}, {kManifestKey, to_json(manifest)}});
  return manifest;
}

}  // namespace mgproto
