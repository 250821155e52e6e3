// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "dashboard/gate.hpp"

#include <chrono>
#include <cstddef>

#include "dashboard/json_text.hpp"

namespace mgproto::dashboard
{
namespace
{

constexpr std::size_t kMostPoints = 1200;
constexpr std::chrono::seconds kTrustLasts(60);

}  // namespace

void Gate::add(const Trust & trust, Clock::time_point now, Version version)
{
  newest_ = json_text(trust);
  points_.push_back({trust.trusted, trust.speed_limit, now, version});
  while (points_.size() > kMostPoints || now - points_.front().arrived > kTrustLasts) {
    points_.pop_front();
  }
}

std::string Gate::news_since(Version seen, Clock::time_point now) const
{
  if (points_.empty() || points_.back().version <= seen) {
    return "";
  }
  std::string points;
  for (const Point & point : points_) {
    if (point.version > seen) {
      points += (points.empty() ? "[" : ",[") + age_text(point.arrived, now) + "," +
                (point.trusted ? "true" : "false") + "," + json_text(point.speed_limit) + "]";
    }
  }
  return "{\"trust\":" + newest_ + ",\"points\":[" + points + "]}";
}

}  // namespace mgproto::dashboard
