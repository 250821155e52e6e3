// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__MEASURE__FEATURE_FITS_HPP_
#define TRAINING__MEASURE__FEATURE_FITS_HPP_

#include "model/principal_axes.hpp"
#include "training/pass/image_outputs.hpp"

namespace mgproto
{

// What several scores fit on the pooled features of training images, in float64. All throw Error in
// one line if the images do not fit.

constexpr std::int64_t kImagesAtOnce = 64;  ///< bounds images x training images in memory
constexpr double kRounding = 1e-6;          ///< of float32 features, relative to their length

/// [N, D] with at least one row.
torch::Tensor training_features(const ImageOutputs & training);

/// Logits that belong to the features, which must have been checked.
torch::Tensor logits_of(const ImageOutputs & images);

/// The classes that the training images have; their numbers may have gaps.
struct ClassMeans
{
  torch::Tensor means;     ///< [C, D]
  torch::Tensor class_of;  ///< [N], a row of `means` for each image
};

ClassMeans class_means(const torch::Tensor & features, const torch::Tensor & labels);

}  // namespace mgproto

#endif  // TRAINING__MEASURE__FEATURE_FITS_HPP_
