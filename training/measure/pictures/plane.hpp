// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__MEASURE__PICTURES__PLANE_HPP_
#define TRAINING__MEASURE__PICTURES__PLANE_HPP_

#include <torch/types.h>

namespace mgproto
{

// Points of many dimensions [N, D], N at least 1, laid out in a plane: float64 [N, 2], finite and
// the same every time. A value that is not finite counts as 0. Throw Error if the shape is another.

/// The two directions of largest variance, the larger one first, about the mean. A direction's
/// largest entry is positive. With D = 1 the second coordinate is 0.
torch::Tensor pca_plane(const torch::Tensor & points);

/// t-SNE (van der Maaten and Hinton, 2008), exact: points that are neighbours stay neighbours,
/// while distances between groups mean little. Starts from pca_plane(). The perplexity, about the
/// number of neighbours each point keeps, is cut to a third of the others. Time and memory grow
/// with N^2.
torch::Tensor tsne_plane(const torch::Tensor & points, double perplexity = 30);

}  // namespace mgproto

#endif  // TRAINING__MEASURE__PICTURES__PLANE_HPP_
