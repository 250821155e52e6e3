// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__GROUND__CALIBRATION_HPP_
#define TRAINING__GROUND__CALIBRATION_HPP_

#include <vector>

#include "model/calibrate.hpp"
#include "training/pass/image_outputs.hpp"

namespace mgproto
{

/// Of images whose logits, and of a model with familiarity similarities and features, were collected.
inline std::vector<Answers> answers_of(Network & network, const ImageOutputs & images)
{
  return answers_of(network, images.logits, images.similarity, images.features);
}

/// By all that the model asks.
inline Calibration calibrate(
  Network & network, const ImageOutputs & images, double tpr, Criterion criterion)
{
  return calibrate(network, answers_of(network, images), tpr, criterion);
}

/// What has to be collected for it.
inline Columns columns_for_calibration()
{
  return {
    {"logits", &BatchOutputs::logits},
    {"similarity", &BatchOutputs::similarity},
    {"features", &BatchOutputs::pooled}};
}

}  // namespace mgproto

#endif  // TRAINING__GROUND__CALIBRATION_HPP_
