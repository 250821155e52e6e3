// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__QUANTILE_HPP_
#define MODEL__QUANTILE_HPP_

#include <algorithm>
#include <vector>

namespace mgproto
{

// Linear interpolation between the two nearest ranks, as numpy's quantile: `share` within 0 to 1, one
// value or more.

template <typename Value>
Value quantile_of_sorted(const std::vector<Value> & ascending, double share)
{
  const double rank = share * static_cast<double>(ascending.size() - 1);
  const auto low = static_cast<std::size_t>(rank);
  const std::size_t high = std::min(low + 1, ascending.size() - 1);
  const double part = rank - static_cast<double>(low);
  return static_cast<Value>(ascending[low] + part * (ascending[high] - ascending[low]));
}

/// Values in any order. One that is not a number has no rank: leave it out before.
template <typename Value>
Value quantile(std::vector<Value> values, double share)
{
  const double rank = share * static_cast<double>(values.size() - 1);
  const auto low = values.begin() + static_cast<std::ptrdiff_t>(rank);
  std::nth_element(values.begin(), low, values.end());
  if (low + 1 != values.end()) {
    std::iter_swap(low + 1, std::min_element(low + 1, values.end()));
  }
  return quantile_of_sorted(values, share);
}

/// The inverse of quantile_of_sorted(): the share of a distribution with these quantiles that is below
/// `value`, or with `or_equal` not above it. Equal quantiles make a jump there.
inline double share_below(
  const std::vector<double> & quantiles, double value, bool or_equal = false)
{
  const auto next = or_equal ? std::upper_bound(quantiles.begin(), quantiles.end(), value)
                             : std::lower_bound(quantiles.begin(), quantiles.end(), value);
  if (next == quantiles.begin()) {
    return 0;
  }
  if (next == quantiles.end()) {
    return 1;
  }
  const double last = *(next - 1);
  const double rank =
    static_cast<double>(next - quantiles.begin()) - 1 + (value - last) / (*next - last);
  return rank / static_cast<double>(quantiles.size() - 1);
}

}  // namespace mgproto

#endif  // MODEL__QUANTILE_HPP_
