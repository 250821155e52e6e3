// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__TORCHSCRIPT_HPP_
#define MODEL__TORCHSCRIPT_HPP_

#include <string>

namespace mgproto
{

/// Writes backbone and head of a checkpoint as a TorchScript file, for people who deploy elsewhere.
/// Its forward takes normalised images [B, 3, H, W] and returns (log p(x|c) [B, C],
/// p(c|x) [B, C], log p(x) [B], log h [B, K], position [B, K]). The manifest goes along as the extra
/// file "manifest.json". Throws FileError.
void export_torchscript(const std::string & checkpoint, const std::string & path);

}  // namespace mgproto

#endif  // MODEL__TORCHSCRIPT_HPP_
