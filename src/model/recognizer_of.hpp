// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__RECOGNIZER_OF_HPP_
#define MODEL__RECOGNIZER_OF_HPP_

#include "mgproto_ros/recognizer.hpp"
#include "model/checkpoint.hpp"

namespace mgproto
{

/// Recognises by a model in memory, whose network it prepares for inference and moves to its device.
/// Models taught to the checkpoint afterwards share its backbone, prepared as it is.
Recognizer recognizer_of(Checkpoint & checkpoint, const Recognizer::Options & options);

}  // namespace mgproto

#endif  // MODEL__RECOGNIZER_OF_HPP_
