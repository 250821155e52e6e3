// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "mgproto_ros/model_config.hpp"

namespace mgproto
{

const std::vector<std::string> & architectures()
{
  static const std::vector<std::string> kNames{
    "vgg16",    "vgg16_bn",  "vgg19",     "vgg19_bn",    "resnet18",   "resnet34",
    "resnet50", "resnet101", "resnet152", "densenet121", "densenet161"};
  return kNames;
}

}  // namespace mgproto
