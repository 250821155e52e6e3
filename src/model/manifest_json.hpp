// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__MANIFEST_JSON_HPP_
#define MODEL__MANIFEST_JSON_HPP_

#include <optional>
#include <string>

#include "mgproto_ros/manifest.hpp"

namespace mgproto
{

/// The manifest as it stands in a checkpoint. What the tensors hold already (prototype classes and
/// priors, patches) is not repeated in it. docs/checkpoint.md describes every key.
std::string to_json(const Manifest & manifest);

/// Throws ConfigError, naming the key, for text that is not a manifest of a version known here.
/// Keys it does not know are passed over, so that a later minor version can be read.
Manifest manifest_from_json(const std::string & text);

const char * name(Stage stage);
const char * name(BackboneConfig::Map map);
const char * name(HeadConfig::Combine combine);
const char * name(Criterion criterion);
/// None for any other text.
std::optional<Criterion> criterion_named(const std::string & text);
const char * name(PreprocessingConfig::Mode mode);

}  // namespace mgproto

#endif  // MODEL__MANIFEST_JSON_HPP_
