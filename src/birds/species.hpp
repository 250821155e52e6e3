// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef BIRDS__SPECIES_HPP_
#define BIRDS__SPECIES_HPP_

#include <array>
#include <string>
#include <vector>

namespace mgproto::birds
{

/// The annotated parts, in the order of parts.txt.
enum class PartName
{
  Beak,
  Eye,
  Crown,
  Throat,
  Wing,
  Breast,
  Tail,
  Leg
};
constexpr int kPartCount = 8;
constexpr std::array<const char *, kPartCount> kPartNames = {"beak", "eye",    "crown", "throat",
                                                             "wing", "breast", "tail",  "leg"};

enum class Beak
{
  Plain,
  Long,
  Hooked,
  Orange
};
enum class Eye
{
  Plain,
  Yellow,
  Ringed,
  Masked
};
enum class Crown
{
  Plain,
  BlackCap,
  RedCrest,
  Yellow,
  WhiteBrow
};
enum class Throat
{
  Plain,
  Red,
  Black,
  Blue
};
enum class Wing
{
  Plain,
  Bars,
  Spots,
  YellowPatch,
  BluePanel
};
enum class Breast
{
  Plain,
  Band,
  Orange,
  Stripes,
  Speckles
};
enum class Tail
{
  Plain,
  Forked,
  WhiteFan,
  Banded
};
enum class Leg
{
  Plain,
  Orange
};

/// What all individuals of a species have in common: one or two parts that are not plain. Body
/// colour, size and pose belong to the individual.
struct Species
{
  std::string name;
  Beak beak = Beak::Plain;
  Eye eye = Eye::Plain;
  Crown crown = Crown::Plain;
  Throat throat = Throat::Plain;
  Wing wing = Wing::Plain;
  Breast breast = Breast::Plain;
  Tail tail = Tail::Plain;
  Leg leg = Leg::Plain;

  /// The variant of each part as a number (0 = plain), in the order of PartName.
  std::array<int, kPartCount> variants() const;
};

/// The species a data set is made of; a data set of N classes takes the first N.
const std::vector<Species> & seen_species();

/// Species that are never trained on: each joins a part of one of the first twelve seen species
/// with a part of another, so no single part gives it away.
const std::vector<Species> & unseen_species();

}  // namespace mgproto::birds

#endif  // BIRDS__SPECIES_HPP_
