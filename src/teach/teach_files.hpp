// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TEACH__TEACH_FILES_HPP_
#define TEACH__TEACH_FILES_HPP_

#include "teach/teach_images.hpp"

namespace mgproto
{

// Each reads the checkpoint `model`, writes the result to `output` and returns its manifest. Throw Error.

Manifest teach_file(
  const std::string & model, const std::string & output, const std::string & name,
  const std::vector<LessonImage> & images);

Manifest forget_in_file(
  const std::string & model, const std::string & output, const std::string & name);

}  // namespace mgproto

#endif  // TEACH__TEACH_FILES_HPP_
