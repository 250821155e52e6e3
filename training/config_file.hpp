// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__CONFIG_FILE_HPP_
#define TRAINING__CONFIG_FILE_HPP_

#include <string>
#include <vector>

#include "training/config.hpp"

namespace mgproto
{

/// The published constants: what the config's aggregates are without further ado.
TrainingConfig paper_preset();

/// What a training uses that names no preset.
TrainingConfig default_preset();

/// What `mgproto fit` uses: everything in closed form, every part and the whole count.
TrainingConfig closed_form_preset();

/// The preset that the file or an override names (`preset: paper` or `default`), changed by the
/// rest of the file and then by the overrides, in order. An override is "key=value" with a value in
/// YAML syntax (em.memory=400, backbone.stages=[3,4,6,4], data.ood.cars=/data/cars). An empty file
/// changes nothing. Relative paths stay as they are, relative to the current directory.
///
/// Throws FileError if the file cannot be read or is not YAML, ConfigError, naming the key and the
/// line or the override, for a setting that is unknown, given twice, or has a value of a wrong type
/// or out of range.
TrainingConfig read_training_config(
  const std::string & path, const std::vector<std::string> & overrides);

/// The same of a config that is there already, without a file.
TrainingConfig with_overrides(TrainingConfig config, const std::vector<std::string> & overrides);

/// Every setting with its meaning as a comment. Read as a file it gives the same config.
std::string to_yaml(const TrainingConfig & config);

/// A Markdown table of all settings.
std::string settings_markdown();

}  // namespace mgproto

#endif  // TRAINING__CONFIG_FILE_HPP_
