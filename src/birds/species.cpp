// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "birds/species.hpp"

namespace mgproto::birds
{
namespace
{

void set(Species & species, Beak beak) { species.beak = beak; }
void set(Species & species, Eye eye) { species.eye = eye; }
void set(Species & species, Crown crown) { species.crown = crown; }
void set(Species & species, Throat throat) { species.throat = throat; }
void set(Species & species, Wing wing) { species.wing = wing; }
void set(Species & species, Breast breast) { species.breast = breast; }
void set(Species & species, Tail tail) { species.tail = tail; }
void set(Species & species, Leg leg) { species.leg = leg; }

template <typename First, typename Second>
Species species(const char * name, First first, Second second)
{
  Species marked;
  marked.name = name;
  set(marked, first);
  set(marked, second);
  return marked;
}

}  // namespace

std::array<int, kPartCount> Species::variants() const
{
  return {static_cast<int>(beak),   static_cast<int>(eye),  static_cast<int>(crown),
          static_cast<int>(throat), static_cast<int>(wing), static_cast<int>(breast),
          static_cast<int>(tail),   static_cast<int>(leg)};
}

const std::vector<Species> & seen_species()
{
  static const std::vector<Species> table = {
    species("Red_throated_Fantail", Throat::Red, Tail::WhiteFan),
    species("Black_capped_Swallow", Crown::BlackCap, Tail::Forked),
    species("Bar_winged_Redshank", Wing::Bars, Leg::Orange),
    species("Striped_Snipe", Breast::Stripes, Beak::Long),
    species("Collared_Plover", Breast::Band, Leg::Orange),
    species("Spotted_Woodpecker", Wing::Spots, Beak::Long),
    species("Golden_eyed_Martin", Eye::Yellow, Tail::Forked),
    species("Crested_Shrike", Crown::RedCrest, Beak::Hooked),
    species("Black_throated_Fantail", Throat::Black, Tail::WhiteFan),
    species("Orange_breasted_Hawk", Breast::Orange, Beak::Hooked),
    species("Yellow_winged_Drongo", Wing::YellowPatch, Tail::Forked),
    species("Crested_Fantail", Crown::RedCrest, Tail::WhiteFan),
    species("Masked_Redshank", Eye::Masked, Leg::Orange),
    species("Blue_throated_Hummer", Throat::Blue, Beak::Long),
    species("White_browed_Cuckoo", Crown::WhiteBrow, Tail::Banded),
    species("Speckled_Shrike", Breast::Speckles, Beak::Hooked),
    species("Blue_winged_Cuckoo", Wing::BluePanel, Tail::Banded),
    species("Yellow_crowned_Finch", Crown::Yellow, Beak::Orange),
    species("Ringed_Bunting", Eye::Ringed, Wing::Bars),
    species("Collared_Finch", Breast::Band, Beak::Orange),
  };
  return table;
}

const std::vector<Species> & unseen_species()
{
  static const std::vector<Species> table = {
    species("Red_throated_Swallow", Throat::Red, Tail::Forked),
    species("Black_capped_Redshank", Crown::BlackCap, Leg::Orange),
    species("Bar_winged_Shrike", Wing::Bars, Beak::Hooked),
    species("Striped_Fantail", Breast::Stripes, Tail::WhiteFan),
    species("Crested_Plover", Breast::Band, Crown::RedCrest),
    species("Spotted_Blackthroat", Wing::Spots, Throat::Black),
    species("Golden_eyed_Snipe", Eye::Yellow, Beak::Long),
    species("Orange_breasted_Yellowwing", Breast::Orange, Wing::YellowPatch),
  };
  return table;
}

}  // namespace mgproto::birds
