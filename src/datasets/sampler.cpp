// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "datasets/sampler.hpp"

#include <utility>

#include "mgproto_ros/error.hpp"
#include "model/random.hpp"

namespace mgproto
{
namespace
{

/// Fisher-Yates.
template <typename Item>
void shuffle(std::vector<Item> & items, Random & random)
{
  for (std::size_t i = items.size(); i > 1; --i) {
    std::swap(items[i - 1], items[random.index(static_cast<int>(i))]);
  }
}

/// The images of one class, shuffled anew whenever all have been drawn.
struct ClassDeck
{
  std::vector<std::int64_t> images;
  Random random;
  std::size_t drawn = 0;

  Draw next()
  {
    const std::size_t at = drawn++ % images.size();
    if (at == 0) {
      shuffle(images, random);
    }
    return {images[at], static_cast<std::int64_t>((drawn - 1) / images.size())};
  }
};

std::vector<Draw> draw_balanced(const Dataset & dataset, std::uint64_t seed, std::uint64_t epoch)
{
  std::vector<ClassDeck> decks;
  for (std::size_t c = 0; c < dataset.classes.size(); ++c) {
    decks.push_back({{}, Random{seed, epoch, 0, c}});
  }
  for (std::int64_t i = 0; i < dataset.size(); ++i) {
    if (dataset.samples[i].label >= 0) {
      decks[dataset.samples[i].label].images.push_back(i);
    }
  }
  std::vector<std::size_t> round;
  for (std::size_t c = 0; c < decks.size(); ++c) {
    if (!decks[c].images.empty()) {
      round.push_back(c);
    }
  }
  if (round.empty()) {
    throw ConfigError("order", "balanced sampling needs classes; " + dataset.root + " has none");
  }

  Random random{seed, epoch};
  std::vector<Draw> draws;
  while (draws.size() < dataset.samples.size()) {
    shuffle(round, random);
    for (std::size_t k = 0; k < round.size() && draws.size() < dataset.samples.size(); ++k) {
      draws.push_back(decks[round[k]].next());
    }
  }
  return draws;
}

}  // namespace

std::vector<Draw> draw_epoch(
  const Dataset & dataset, SampleOrder order, std::uint64_t seed, std::int64_t epoch)
{
  if (order == SampleOrder::balanced) {
    return draw_balanced(dataset, seed, static_cast<std::uint64_t>(epoch));
  }
  std::vector<Draw> draws(dataset.samples.size());
  for (std::size_t i = 0; i < draws.size(); ++i) {
    draws[i].image = static_cast<std::int64_t>(i);
  }
  if (order == SampleOrder::shuffled) {
    Random random{seed, static_cast<std::uint64_t>(epoch)};
    shuffle(draws, random);
  }
  return draws;
}

}  // namespace mgproto
