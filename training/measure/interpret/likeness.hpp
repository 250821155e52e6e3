// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__MEASURE__INTERPRET__LIKENESS_HPP_
#define TRAINING__MEASURE__INTERPRET__LIKENESS_HPP_

#include <torch/types.h>

#include <functional>
#include <opencv2/core/mat.hpp>
#include <optional>
#include <string>
#include <vector>

#include "mgproto_ros/manifest.hpp"
#include "model/random.hpp"
#include "training/measure/interpret/shown_part.hpp"

namespace mgproto
{

/// Another image of the class, to take patches at random from.
struct OtherImage
{
  torch::Tensor pixels;  ///< normalised [3, size, size]
  cv::Mat object;        ///< its mask in the input [size, size]; empty if not known
};

/// Do the two patches of a pair look alike: the prototype's, of a training image, and the part that is
/// shown for it? Told by colours and edges, not by the features that the explanation is made of: how
/// often the part shown is nearer to the prototype's patch than a patch at random of another image of
/// the class. Where the object is known, that patch lies on it: to be on the object is not enough.
class Likeness
{
public:
  /// Early maps [N, c, h, w] of normalised patches [N, 3, side, side]; undefined if there are none.
  using EarlyMaps = std::function<torch::Tensor(const torch::Tensor & patches)>;

  /// The prototypes' patches [K], as the checkpoint keeps them; those without one, or with one that
  /// cannot be read, are left out. May be empty.
  Likeness(
    EarlyMaps early_maps, const std::vector<std::optional<Provenance>> & prototypes,
    const PreprocessingConfig & preprocessing);

  /// False: add() would do nothing.
  bool can_measure() const { return descriptions_.defined(); }

  /// A normalised image [3, size, size] of the name that provenances have: a prototype that is of
  /// this very image is left out. What is drawn at random is the same for the same `random`.
  void add(
    const std::string & name, const torch::Tensor & image, const std::vector<ShownPart> & parts,
    const std::vector<OtherImage> & others, Random random);

  /// Chance is 0.5; none without a pair.
  std::optional<double> result() const;

private:
  /// [N, c]; undefined without early maps.
  torch::Tensor describe(const torch::Tensor & patches) const;

  EarlyMaps early_maps_;
  std::vector<std::int64_t> row_of_;   // [K], in descriptions_; -1 without a patch
  std::vector<std::string> image_of_;  // [K], that the patch is of
  torch::Tensor mean_;                 // [c], of the prototypes' patches
  torch::Tensor descriptions_;         // of the patches [N, c], less their mean
  double nearer_ = 0;
  std::int64_t comparisons_ = 0;
};

}  // namespace mgproto

#endif  // TRAINING__MEASURE__INTERPRET__LIKENESS_HPP_
