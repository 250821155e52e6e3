// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__IMPORT_HPP_
#define MODEL__IMPORT_HPP_

#include <string>
#include <vector>

#include "mgproto_ros/manifest.hpp"
#include "model/weight_storage.hpp"

namespace mgproto
{

/// What a state_dict does not say by itself.
struct ImportOptions
{
  /// Read off the tensors if empty.
  std::string architecture;
  PreprocessingConfig preprocessing;
  bool stem_pool = false;
  int upsample = 1;
  BackboneConfig::Map map = BackboneConfig::Map::last;
  bool stride_in_1x1 = false;
  /// Names of the classes, in order; class_0, class_1, ... if empty.
  std::vector<std::string> classes;
  /// Of the backbone's convolutions.
  WeightStorage storage = WeightStorage::float32;
};

struct ImportSummary
{
  Manifest manifest;  ///< as it was written
  /// Tensors of the file that the checkpoint has no place for (classifier, memory bank, ...).
  std::vector<std::string> ignored;
};

/// Turns a state_dict saved by torch.save into a checkpoint at `output`: torchvision's weights into a
/// backbone, the MGProto authors' into a full model. Throws FileError or ConfigError.
ImportSummary import_state_dict(
  const std::string & path, const std::string & output, const ImportOptions & options);

}  // namespace mgproto

#endif  // MODEL__IMPORT_HPP_
