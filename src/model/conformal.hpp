// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__CONFORMAL_HPP_
#define MODEL__CONFORMAL_HPP_

#include <cstdint>
#include <vector>

namespace mgproto
{

// Split conformal prediction (Vovk et al. 2005). If an image and n calibration images are drawn alike,
// its score is as likely to take any of the n + 1 ranks among theirs. So the k-th lowest of the n
// scores, k = (n + 1) (1 - rate) rounded down, is reached with a probability of 1 - k / (n + 1), which
// is at least the rate, for every n and every distribution.

/// k; 0 where n images are too few to promise the rate and reject anything.
std::int64_t conformal_rank(std::int64_t images, double rate);

/// The fewest images with a rank above 0, for a rate below 1.
std::int64_t images_needed(double rate);

/// The conformal p-value: the share of scores, `score` among them, that are not above it. It is
/// uniform for images like the calibration's.
double conformal_p_value(const std::vector<double> & ascending, double score);

/// The rate is promised in the mean over calibrations. With one calibration in hand the share of images
/// that it accepts is Beta(n + 1 - k, k); in nine cases of ten it lies within these.
struct AcceptedShare
{
  double low = 0;
  double high = 1;
};
AcceptedShare accepted_share(std::int64_t images, double rate);

}  // namespace mgproto

#endif  // MODEL__CONFORMAL_HPP_
