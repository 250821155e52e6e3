// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "model/heads/make_head.hpp"

#include <torch/torch.h>

#include "mgproto_ros/error.hpp"
#include "model/heads/gaussian_head.hpp"
#include "model/heads/protopnet_head.hpp"
#include "model/heads/softmax_head.hpp"

namespace mgproto
{
namespace
{

constexpr int kLargestFeatureDim = 4096;
constexpr double kLargestConcentration = 1e4;

}  // namespace

std::shared_ptr<Head> make_head(
  const HeadConfig & config, int classes, const std::vector<int> & prototype_class)
{
  if (config.feature_dim < 1 || config.feature_dim > kLargestFeatureDim) {
    throw ConfigError(
      "head.feature_dim", "must be within 1 to " + std::to_string(kLargestFeatureDim));
  }
  if (!(config.concentration > 0 && config.concentration <= kLargestConcentration)) {
    throw ConfigError("head.concentration", "must be greater than 0 and at most 10000");
  }
  if (!(config.whole >= 0 && config.whole < 1)) {
    throw ConfigError("head.whole", "must be within 0 and less than 1");
  }
  if (config.whole > 0 && (config.whole_dim < 1 || config.whole_dim > config.feature_dim)) {
    throw ConfigError("head.whole_dim", "must be within 1 to feature_dim for a head with a whole");
  }
  if (config.kind == "mgproto") {
    return std::make_shared<GaussianHead>(prototype_class, config);
  }
  if (config.kind == "softmax") {
    return std::make_shared<SoftmaxHead>(classes);
  }
  if (config.kind == "protopnet") {
    return std::make_shared<ProtoPNetHead>(prototype_class, config.feature_dim);
  }
  throw ConfigError(
    "head.kind", "'" + config.kind + "' is not known, expected one of mgproto, softmax, protopnet");
}

}  // namespace mgproto
