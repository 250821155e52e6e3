// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__CHECKPOINT_FILE_HPP_
#define MODEL__CHECKPOINT_FILE_HPP_

#include <optional>
#include <string>
#include <vector>

#include "mgproto_ros/manifest.hpp"
#include "model/safetensors.hpp"

namespace mgproto
{

/// A checkpoint's tensors and manifest, before any network is built from them. Opening checks all
/// that can be checked without knowing the network: container, manifest, hash of the tensors, no
/// NaN or infinity, scales, priors, classes, patches. Every defect is a FileError naming file and
/// tensor. A model that refers to a backbone file opens it, too, and has its `backbone.*` tensors.
class CheckpointFile
{
public:
  static CheckpointFile open(const std::string & path);

  const std::string & path() const { return file_.path(); }
  const Manifest & manifest() const { return manifest_; }
  const std::map<std::string, TensorView> & tensors() const { return tensors_; }
  /// Throws FileError, naming the file that should have it, if there is no such tensor.
  const TensorView & tensor(const std::string & name) const;

private:
  CheckpointFile(SafetensorsFile file, Manifest manifest)
  : file_(std::move(file)), manifest_(std::move(manifest)), tensors_(file_.tensors())
  {
  }

  /// Without what it refers to.
  static CheckpointFile open_alone(const std::string & path);
  void add_backbone();

  SafetensorsFile file_;
  Manifest manifest_;
  std::map<std::string, TensorView> tensors_;  ///< of both files
  std::optional<SafetensorsFile> backbone_;
};

/// Writes `tensors`, the patches and the manifest to `path`, atomically. Gives the manifest with its hash.
Manifest write_checkpoint_file(
  const std::string & path, std::vector<TensorToWrite> tensors, Manifest manifest);

/// Where the file lies that a model at `path` refers to.
std::string beside(const std::string & path, const BackboneFile & backbone);

/// Weights of a convolution may be stored in eight bits, as I8 [out, in, h, w]. Their F32 [out] scales
/// have this name; a weight is its integer times its output channel's scale.
std::string scale_name(const std::string & weights);

/// What the names of a backbone's tensors begin with.
inline constexpr const char * kBackbonePrefix = "backbone.";
/// Names of the tensors that a checkpoint with mixtures holds beside backbone and add-on.
inline constexpr const char * kMeansTensor = "head.means";                     // F32 [K, D]
inline constexpr const char * kPriorsTensor = "head.priors";                   // F32 [K]
inline constexpr const char * kPrototypeClassTensor = "head.prototype_class";  // I32 [K]

}  // namespace mgproto

#endif  // MODEL__CHECKPOINT_FILE_HPP_
