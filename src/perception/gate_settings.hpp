// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef PERCEPTION__GATE_SETTINGS_HPP_
#define PERCEPTION__GATE_SETTINGS_HPP_

#include <string>
#include <vector>

namespace mgproto::perception
{

/// Everything that can be set about a trust gate, with its defaults. gate_parameter_table.cpp gives
/// each its name, range and text.
struct GateSettings
{
  // Fixed once the node runs.
  std::vector<std::string> flags{"~/input/ood"};

  // May change at any time.
  double timeout = 1.0;
  double recover_seconds = 2.0;
  double speed_trusted = 100.0;
  double speed_untrusted = 20.0;
  double rate = 2.0;
};

}  // namespace mgproto::perception

#endif  // PERCEPTION__GATE_SETTINGS_HPP_
