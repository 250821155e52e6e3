// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/run/state_file.hpp"

#include <torch/torch.h>

#include <map>

#include "mgproto_ros/error.hpp"
#include "model/safetensors.hpp"

namespace mgproto
{
namespace
{

constexpr const char * kAbout = "mgproto_state";
constexpr const char * kHash = "sha256";

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
  throw FileError(path, std::string("holds ") + name(dtype) + ", which no state has");
}

std::string metadata_of(const SafetensorsFile & file, const char * key)
{
  const auto found = file.metadata().find(key);
  if (found == file.metadata().end()) {
    throw FileError(file.path(), "was not written by a training or an evaluation");
  }
  return found->second;
}

}  // namespace

void write_state(const std::string & path, const State & state, const std::string & about)
{
  std::vector<torch::Tensor> kept;  // contiguous copies live until the file is written
  std::vector<TensorToWrite> tensors;
  for (const auto & [name, tensor] : state) {
    kept.push_back(tensor.detach().contiguous());
    tensors.push_back(
      {name, types().at(tensor.scalar_type()), tensor.sizes().vec(), kept.back().data_ptr(),
       kept.back().nbytes()});
  }
  write_safetensors(path, tensors, {{kAbout, about}, {kHash, tensors_sha256(tensors)}});
}

StateFile read_state(const std::string & path)
{
  const SafetensorsFile file = SafetensorsFile::open(path);
  StateFile result;
  result.about = metadata_of(file, kAbout);
  if (metadata_of(file, kHash) != file.tensors_sha256()) {
    throw FileError(path, "is damaged (SHA-256 differs)");
  }
  for (const auto & [name, view] : file.tensors()) {
    result.state[name] = torch::from_blob(
                           const_cast<std::byte *>(view.data), view.shape,
                           torch::TensorOptions().dtype(scalar_type(path, view.dtype)))
                           .clone();
  }
  return result;
}

}  // namespace mgproto
