// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__RANDOM_HPP_
#define MODEL__RANDOM_HPP_

#include <cstdint>
#include <initializer_list>

namespace mgproto
{

/// Random numbers that are the same on every machine and compiler, which the standard library's
/// distributions are not. A generator is started from a key, e.g. {seed, split, class, index}, so
/// item i is the same whatever else is drawn, in whatever order and on whatever thread.
///
/// The generator is splitmix64. Only integer steps and exact floating-point operations are used.
/// Two draws in one expression (`f(r.next(), r.next())`, `r.uniform() + r.uniform()`) have no
/// defined order in C++: name the first, or use a braced list, which is ordered.
class Random
{
public:
  explicit Random(std::initializer_list<std::uint64_t> key)
  {
    for (const std::uint64_t word : key) {
      state_ = mix((state_ ^ mix(word + kGolden)) + kGolden);
    }
  }

  std::uint64_t next() { return mix(state_ += kGolden); }

  /// In [0, 1).
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  /// In [low, high).
  double uniform(double low, double high) { return low + (high - low) * uniform(); }

  /// In 0 .. count - 1; count must be positive.
  int index(int count)
  {
    return static_cast<int>(((next() >> 32) * static_cast<std::uint64_t>(count)) >> 32);
  }

  /// Mean 0, variance 1, within ±6: the sum of twelve uniforms, which needs no logarithm.
  double normal()
  {
    double sum = -6.0;
    for (int i = 0; i < 12; ++i) {
      sum += uniform();
    }
    return sum;
  }

  bool chance(double probability) { return uniform() < probability; }

  /// A good hash of 64 bits, for noise that is looked up by position.
  static std::uint64_t mix(std::uint64_t z)
  {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }

private:
  static constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15ULL;
  std::uint64_t state_ = 0;
};

}  // namespace mgproto

#endif  // MODEL__RANDOM_HPP_
