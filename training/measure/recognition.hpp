// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__MEASURE__RECOGNITION_HPP_
#define TRAINING__MEASURE__RECOGNITION_HPP_

#include <optional>
#include <vector>

#include "training/pass/image_outputs.hpp"

namespace mgproto
{

// How well log posteriors [N, C] name the labels [N] of one or more images. Of equally probable
// classes the first is the answer. Throws Error if the shapes do not fit or a label is no class.

/// Share of images whose class is among the k most probable ones; 1 if k reaches C.
double top_k_accuracy(
  const torch::Tensor & log_posterior, const torch::Tensor & labels, std::int64_t k = 1);

/// [C] share of a class's images that were recognised; nothing for a class without images.
std::vector<std::optional<double>> class_accuracy(
  const torch::Tensor & log_posterior, const torch::Tensor & labels);

/// Mean of -log p(label | x).
double cross_entropy(const torch::Tensor & log_posterior, const torch::Tensor & labels);

/// Mean difference of confidence and accuracy over the bins (m - 1, m] / 15, m = 1..15, of the
/// largest posterior, weighted by their images (Guo et al., ICML 2017).
double expected_calibration_error(
  const torch::Tensor & log_posterior, const torch::Tensor & labels);

/// [C][C] counts, rows are true classes.
std::vector<std::vector<std::int64_t>> confusion(
  const torch::Tensor & log_posterior, const torch::Tensor & labels);

/// Share of images whose class was predicted.
double accuracy(const ImageOutputs & images);
/// The same in one pass over labelled images.
double accuracy(Network & network, Loader & loader, const Progress & progress = {});

/// How far features are from the mean of each class's training features, all as unit vectors: minus
/// the distances [N, C], so that the largest is the answer. What features are worth before anything
/// is trained on them. A class without training images is infinitely far.
torch::Tensor nearest_mean_scores(
  const torch::Tensor & training_features /*[T, D]*/, const torch::Tensor & training_labels /*[T]*/,
  const torch::Tensor & features /*[N, D]*/, std::int64_t classes);

}  // namespace mgproto

#endif  // TRAINING__MEASURE__RECOGNITION_HPP_
