// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__HEADS__MAKE_HEAD_HPP_
#define MODEL__HEADS__MAKE_HEAD_HPP_

#include <memory>
#include <vector>

#include "mgproto_ros/model_config.hpp"
#include "model/heads/head.hpp"

namespace mgproto
{

/// The head of HeadConfig::kind as training begins. `prototype_class` says how many prototypes each
/// class has; a head without prototypes has only use for the number of classes. Throws ConfigError
/// for a setting that cannot be.
std::shared_ptr<Head> make_head(
  const HeadConfig & config, int classes, const std::vector<int> & prototype_class);

}  // namespace mgproto

#endif  // MODEL__HEADS__MAKE_HEAD_HPP_
