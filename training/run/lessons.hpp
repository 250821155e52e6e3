// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__RUN__LESSONS_HPP_
#define TRAINING__RUN__LESSONS_HPP_

#include <cstdint>
#include <string>
#include <vector>

#include "training/run/model_data.hpp"

namespace mgproto
{

struct LessonsOptions
{
  ImagesOption images{"", "test"};  ///< of the model's classes
  /// A data set's part from which the means of the model's classes are taken, to compare with; empty: none.
  std::string means_split;
  std::string fresh;  ///< folder of a folder for each class that the model does not know
  std::vector<int> shown{1, 2, 5, 10, 20};  ///< images that a class is taught by
  int draws = 10;
  std::uint64_t seed = 1;
};

/// What teaching would reach, as JSON: in every draw each new class is taught by so many of its images,
/// chosen at random, one class after the other in a random order, and tested on its others. Means over
/// draws, and their standard deviations:
///  - `new_right`, `new_known`: mean over the new classes of the share that is recognised, and of those
///    the share called known;
///  - `old_right` of the model's own classes, before and after;
///  - `strangers_auroc`: the classes not yet taught when half of them are, against the model's own images,
///    and `strangers_auroc_before`: the same images before anything was taught;
///  - `plain_new_right`, `plain_old_right`, `whitened_...`: the nearest class mean instead, by the direction of
///    the backbone's pooled map alone or in its whitened space (Network::descriptors), with `means_split`;
///  - `seconds` to teach a class, without the passes over its images.
/// Throws Error.
std::string measure_lessons(
  const std::string & model, const LessonsOptions & options, const StepProgress & progress);

}  // namespace mgproto

#endif  // TRAINING__RUN__LESSONS_HPP_
