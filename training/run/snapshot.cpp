// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/run/snapshot.hpp"

#include <torch/torch.h>

#include <map>
#include <nlohmann/json.hpp>

#include "mgproto_ros/error.hpp"
#include "model/safetensors.hpp"

namespace mgproto
{
namespace
{

constexpr const char * kMetadata = "mgproto_snapshot";

const std::map<c10::ScalarType, DType> & types()
{
  static const std::map<c10::ScalarType, DType> kTypes{
    {torch::kFloat32, DType::f32},
    {torch::kFloat64, DType::f64},
    {torch::kInt64, DType::i64},
    {torch::kUInt8, DType::u8}};
  return kTypes;
}

c10::ScalarType scalar_type(const std::string & path, DType dtype)
{
  for (const auto & [scalar, known] : types()) {
    if (known == dtype) {
      return scalar;
    }
  }
  throw FileError(path, std::string("a snapshot holds no ") + name(dtype));
}

}  // namespace

void write_snapshot(const std::string & path, const Snapshot & snapshot)
{
  std::vector<torch::Tensor> kept;  // contiguous copies live until the file is written
  std::vector<TensorToWrite> tensors;
  for (const auto & [name, tensor] : snapshot.state) {
    kept.push_back(tensor.detach().contiguous());
    tensors.push_back(
      {name, types().at(tensor.scalar_type()), tensor.sizes().vec(), kept.back().data_ptr(),
       kept.back().nbytes()});
  }
  const nlohmann::json position{
    {"epoch", snapshot.epoch},
    {"batch", snapshot.batch},
    {"best_accuracy", snapshot.best_accuracy},
    {"metrics_bytes", snapshot.metrics_bytes},
    {"sha256", tensors_sha256(tensors)}};
  write_safetensors(path, tensors, {{kMetadata, position.dump()}});
}

Snapshot read_snapshot(const std::string & path)
{
  const SafetensorsFile file = SafetensorsFile::open(path);
  Snapshot snapshot;
  try {
    const auto position = nlohmann::json::parse(file.metadata().at(kMetadata));
    snapshot.epoch = position.at("epoch");
    snapshot.batch = position.at("batch");
    snapshot.best_accuracy = position.at("best_accuracy");
    snapshot.metrics_bytes = position.at("metrics_bytes");
    if (position.at("sha256") != file.tensors_sha256()) {
      throw FileError(path, "is damaged (SHA-256 differs)");
    }
  } catch (const nlohmann::json::exception &) {
    throw FileError(path, "is not a snapshot of a training");
  } catch (const std::out_of_range &) {
    throw FileError(path, "is not a snapshot of a training");
  }
  for (const auto & [name, view] : file.tensors()) {
    snapshot.state[name] = torch::from_blob(
                             const_cast<std::byte *>(view.data), view.shape,
                             torch::TensorOptions().dtype(scalar_type(path, view.dtype)))
                             .clone();
  }
  return snapshot;
}

}  // namespace mgproto
