// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__MEASURE__SCORE_TABLE_HPP_
#define TRAINING__MEASURE__SCORE_TABLE_HPP_

#include <string>
#include <vector>

#include "datasets/dataset.hpp"
#include "training/measure/ood_scores.hpp"

namespace mgproto
{

/// Every image with every score, as CSV, to look into a result with other tools.
class ScoreTable
{
public:
  /// `network` and `scores` must outlive it. Scores without anything to fit them on are left out; what
  /// a model with familiarity was asked stands behind them.
  ScoreTable(Network & network, const std::vector<NamedScore> & scores);

  /// A line for each image: set, image, label and predicted class (by name, empty without one), scores.
  void add(
    const std::string & set, const Dataset & dataset, const std::vector<std::string> & classes,
    const ImageOutputs & images);

  const std::string & text() const { return text_; }

private:
  Network & network_;
  std::vector<NamedScore> scores_;
  std::string text_;
};

}  // namespace mgproto

#endif  // TRAINING__MEASURE__SCORE_TABLE_HPP_
