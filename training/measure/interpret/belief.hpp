// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__MEASURE__INTERPRET__BELIEF_HPP_
#define TRAINING__MEASURE__INTERPRET__BELIEF_HPP_

#include <torch/types.h>

#include <functional>
#include <opencv2/core/mat.hpp>
#include <optional>
#include <vector>

#include "training/measure/interpret/shown_part.hpp"
#include "training/measure/results.hpp"

namespace mgproto
{

// May one believe an explanation that says "this part looks like that one"? Each measure asks one
// thing of the parts that are shown.

struct Share
{
  std::int64_t holds = 0;
  std::int64_t all = 0;

  void add(bool one_holds);
  std::optional<double> result() const;  ///< none of nothing
};

/// Are the parts on the object?
class OnObject
{
public:
  /// The object's mask in the network's input [size, size], or its box as a mask. One that is all
  /// object or all background is left out.
  void add(const std::vector<ShownPart> & parts, const cv::Mat & object);

  std::optional<double> result() const { return parts_.result(); }
  /// Of something that looks at the middle of every image.
  std::optional<double> of_centre() const { return centre_.result(); }

private:
  Share parts_;
  Share centre_;
};

/// Are the parts of an image different places?
class Apart
{
public:
  /// Fewer than two parts are left out.
  void add(const std::vector<ShownPart> & parts);
  std::optional<ApartScore> result() const;

private:
  double overlap_ = 0;  // sum over pairs
  std::int64_t pairs_ = 0;
  Share images_;
};

/// Is the box what the prototype answers to? The rest of the image, or the box, gives way to the
/// image's mean colour, with a soft edge.
class BoxRelevance
{
public:
  /// Likelihoods [B, M], at their best positions, of the prototypes [M] in images [B, 3, H, W].
  using Likelihoods =
    std::function<torch::Tensor(const torch::Tensor & images, const torch::Tensor & prototypes)>;

  /// With the concentration of the Gaussians they are of: half of a likelihood is meant at the
  /// published width, kappa = 1, so that a narrower Gaussian is not asked for more.
  explicit BoxRelevance(Likelihoods likelihoods, double concentration = 1);

  /// A normalised image [3, size, size]. Asks for the likelihoods of 2 M + 1 images at once. A
  /// prototype with one that is not finite is left out.
  void add(const torch::Tensor & image, const std::vector<ShownPart> & parts);

  /// The box alone keeps half of the likelihood. A prototype that a blank image gives as much, or
  /// one that shows no part, counts as one whose box does not.
  std::optional<double> sufficient() const { return sufficient_.result(); }
  /// Without the box not half of the likelihood is left. One that shows no part counts as none.
  std::optional<double> necessary() const { return necessary_.result(); }

private:
  Likelihoods likelihoods_;
  double kept_;  // share of a likelihood that counts as still answering
  Share sufficient_;
  Share necessary_;
};

}  // namespace mgproto

#endif  // TRAINING__MEASURE__INTERPRET__BELIEF_HPP_
