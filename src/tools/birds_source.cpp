// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include <array>
#include <numeric>
#include <vector>

#include "birds/ood_subjects.hpp"
#include "birds/picture.hpp"
#include "tools/deck.hpp"
#include "tools/source_kinds.hpp"

namespace mgproto::tools
{
namespace
{

using birds::SceneKind;

constexpr int kKnownSpecies = 12;  ///< of the demo model

/// Square, like the pictures the demo model learned from: it knows fewer birds when they are
/// squeezed. Larger ones cost more to draw (480 pixels: three times as much) and are recognised no
/// better.
constexpr int kDefaultSide = 320;

/// Sets these pictures apart from every data set's, whose keys have a small number here.
constexpr std::uint64_t kStream = 0x73747265616d;

std::vector<int> indices(std::size_t count)
{
  std::vector<int> all(count);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

class BirdsSource : public FrameSource
{
public:
  explicit BirdsSource(const SourceOptions & options)
  : width_(
      options.width    ? options.width
      : options.height ? options.height
                       : kDefaultSide),
    height_(options.height ? options.height : width_),
    seed_(options.seed),
    order_({options.seed, kStream})
  {
  }

  std::optional<SourceFrame> next() override
  {
    const SceneKind kind = kinds_.deal(order_);
    const int index = decks_[static_cast<std::size_t>(kind)].deal(order_);
    const std::uint64_t number = count_++;
    Random picture{seed_, kStream, number};
    SourceFrame frame;
    frame.bgr = birds::draw_scene(kind, index, width_, height_, picture);
    frame.label = label(kind, static_cast<std::size_t>(index));
    frame.name = "birds/" + std::to_string(number);
    return frame;
  }

private:
  static std::string label(SceneKind kind, std::size_t index)
  {
    switch (kind) {
      case SceneKind::SeenBird:
        return "known/" + birds::seen_species()[index].name;
      case SceneKind::UnseenBird:
        return "unseen_species/" + birds::unseen_species()[index].name;
      case SceneKind::Vehicle:
        return "vehicles/" + birds::vehicle_kinds()[index];
      case SceneKind::Texture:
        break;
    }
    return "textures/" + birds::texture_kinds()[index];
  }

  const int width_, height_;
  const std::uint64_t seed_;
  Random order_;
  std::uint64_t count_ = 0;
  Deck<SceneKind> kinds_{
    {SceneKind::SeenBird, SceneKind::SeenBird, SceneKind::SeenBird, SceneKind::UnseenBird,
     SceneKind::Vehicle, SceneKind::Texture}};
  /// What to draw next of each kind, in the order of SceneKind.
  std::array<Deck<int>, 4> decks_{
    Deck<int>(indices(kKnownSpecies)), Deck<int>(indices(birds::unseen_species().size())),
    Deck<int>(indices(birds::vehicle_kinds().size())),
    Deck<int>(indices(birds::texture_kinds().size()))};
};

}  // namespace

std::unique_ptr<FrameSource> draw_birds(const SourceOptions & options)
{
  return std::make_unique<BirdsSource>(options);
}

}  // namespace mgproto::tools
