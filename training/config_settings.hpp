// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__CONFIG_SETTINGS_HPP_
#define TRAINING__CONFIG_SETTINGS_HPP_

#include <yaml-cpp/yaml.h>

#include <functional>
#include <string>
#include <vector>

#include "training/config.hpp"

namespace mgproto
{

/// One setting of a training, as files, the command line and the documentation know it.
struct Setting
{
  std::string key;      ///< e.g. em.learning_rate
  std::string type;     ///< e.g. integer
  std::string range;    ///< e.g. 1 to 100; empty if every value of the type will do
  std::string meaning;  ///< one line
  /// False if the node is not of the type or out of range.
  std::function<bool(const YAML::Node &, TrainingConfig &)> read{};
  /// YAML, on one line.
  std::function<std::string(const TrainingConfig &)> write{};
};

/// Every setting, the settings of a section one after another.
const std::vector<Setting> & settings();

}  // namespace mgproto

#endif  // TRAINING__CONFIG_SETTINGS_HPP_
