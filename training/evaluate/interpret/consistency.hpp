// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__EVALUATE__INTERPRET__CONSISTENCY_HPP_
#define TRAINING__EVALUATE__INTERPRET__CONSISTENCY_HPP_

#include <optional>
#include <vector>

#include "training/evaluate/interpret/observed_image.hpp"

namespace mgproto
{

/// A prototype is consistent if some part lies in its box in at least 80 % of the images of its
/// class in which that part is annotated.
class Consistency
{
public:
  Consistency(std::int64_t prototypes, std::size_t parts);

  /// An image with the maps of its own class's prototypes.
  void add(const ObservedImage & image);

  /// Share of consistent prototypes among those whose class has an annotated part; none without.
  std::optional<double> result() const;

private:
  struct Count
  {
    std::int64_t annotated = 0;  // images
    std::int64_t covered = 0;    // of these
  };
  std::vector<std::vector<Count>> counts_;  // [K][parts]
};

}  // namespace mgproto

#endif  // TRAINING__EVALUATE__INTERPRET__CONSISTENCY_HPP_
