// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__BIRDS__PLUMAGE_HPP_
#define TRAINING__BIRDS__PLUMAGE_HPP_

#include "training/birds/painter.hpp"

namespace mgproto::birds
{

// The colours of marks.
inline const Colour kWhite(0.93, 0.95, 0.95);
inline const Colour kBlack(0.07, 0.06, 0.06);
inline const Colour kRed(0.12, 0.08, 0.82);
inline const Colour kOrange(0.08, 0.46, 0.95);
inline const Colour kYellow(0.12, 0.80, 0.96);
inline const Colour kBlue(0.88, 0.38, 0.12);

/// The other colours of an individual, from one distribution for all species: they say nothing
/// about the class. Wing and tail stay dark and the underparts light, so that every mark shows.
struct Plumage
{
  explicit Plumage(Random & random)
  {
    // Mostly the browns and olives of real birds.
    const double hue = random.chance(0.6) ? random.uniform(0.04, 0.16) : random.uniform();
    const double saturation = random.uniform(0.05, 0.45), value = random.uniform(0.40, 0.72);
    back = hsv(hue, saturation, value);
    const Colour pale = jitter(Colour(0.74, 0.82, 0.87), 0.08, random);
    belly = mix(back, pale, random.uniform(0.35, 0.85));
    wing = back * (random.uniform(0.32, 0.42) / value);
    tail = back * (random.uniform(0.28, 0.36) / value);
    beak = jitter(Colour(0.17, 0.19, 0.21), 0.06, random);
    leg = jitter(Colour(0.19, 0.21, 0.25), 0.06, random);
    grain = random.next();
  }

  Colour back, belly, wing, tail, beak, leg;
  std::uint64_t grain;  ///< the seed of the feather texture
};

}  // namespace mgproto::birds

#endif  // TRAINING__BIRDS__PLUMAGE_HPP_
