// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef DEMO_MODEL_HPP_
#define DEMO_MODEL_HPP_

#include <string>

namespace mgproto::test
{

/// The model that comes with the package, which tests of hosts run.
inline const std::string kDemoModel =
  std::string(MGPROTO_SOURCE_DIR) + "/config/models/birds_demo.safetensors";
/// What the id of any copy of it ends with: the first digits of its hash.
inline const std::string kDemoHash = "@98a57bd6";
inline const std::string kDemoModelId = "birds_demo" + kDemoHash;

}  // namespace mgproto::test

#endif  // DEMO_MODEL_HPP_
