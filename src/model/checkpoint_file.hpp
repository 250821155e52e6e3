// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__CHECKPOINT_FILE_HPP_
#define MODEL__CHECKPOINT_FILE_HPP_

#include <string>
#include <vector>

#include "mgproto_ros/manifest.hpp"
#include "model/safetensors.hpp"

namespace mgproto
{

/// A checkpoint's tensors and manifest, before any network is built from them. Opening checks all
/// that can be checked without knowing the network: container, manifest, hash of the tensors, no
/// NaN or infinity, priors, classes, patches. Every defect is a FileError naming file and tensor.
class CheckpointFile
{
public:
  static CheckpointFile open(const std::string & path);

  const std::string & path() const { return file_.path(); }
  const Manifest & manifest() const { return manifest_; }
  const std::map<std::string, TensorView> & tensors() const { return file_.tensors(); }
  const TensorView & tensor(const std::string & name) const { return file_.tensor(name); }

private:
  CheckpointFile(SafetensorsFile file, Manifest manifest)
  : file_(std::move(file)), manifest_(std::move(manifest))
  {
  }

  SafetensorsFile file_;
  Manifest manifest_;
};

/// Writes `tensors`, the patches and the manifest to `path`, atomically. Fills in the hash.
void write_checkpoint_file(
  const std::string & path, std::vector<TensorToWrite> tensors, Manifest manifest);

/// Names of the tensors that a checkpoint with mixtures holds beside backbone and add-on.
inline constexpr const char * kMeansTensor = "head.means";                     // F32 [K, D]
inline constexpr const char * kPriorsTensor = "head.priors";                   // F32 [K]
inline constexpr const char * kPrototypeClassTensor = "head.prototype_class";  // I32 [K]

}  // namespace mgproto

#endif  // MODEL__CHECKPOINT_FILE_HPP_
