// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TOOLS__DECK_HPP_
#define TOOLS__DECK_HPP_

#include <cstddef>
#include <utility>
#include <vector>

#include "model/random.hpp"

namespace mgproto::tools
{

/// Deals every item once, in random order, before any comes again.
template <typename T>
class Deck
{
public:
  /// There must be an item.
  explicit Deck(std::vector<T> items) : items_(std::move(items)), dealt_(items_.size()) {}

  const T & deal(Random & random)
  {
    if (dealt_ == items_.size()) {
      for (std::size_t left = items_.size(); left > 1; --left) {
        const int chosen = random.index(static_cast<int>(left));
        std::swap(items_[left - 1], items_[static_cast<std::size_t>(chosen)]);
      }
      dealt_ = 0;
    }
    return items_[dealt_++];
  }

private:
  std::vector<T> items_;
  std::size_t dealt_;
};

}  // namespace mgproto::tools

#endif  // TOOLS__DECK_HPP_
