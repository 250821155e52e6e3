// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__SHARED_BACKBONE_HPP_
#define MODEL__SHARED_BACKBONE_HPP_

#include <string>

namespace mgproto
{

/// Writes a model to `output` without its backbone, which is that of the checkpoint `backbone` in the
/// same directory and is read from there from then on. Throws FileError if it is another one,
/// ConfigError if they would not lie side by side.
void share_backbone(
  const std::string & model, const std::string & backbone, const std::string & output);

/// Writes a model to `output` with all that it needs.
void hold_backbone(const std::string & model, const std::string & output);

}  // namespace mgproto

#endif  // MODEL__SHARED_BACKBONE_HPP_
