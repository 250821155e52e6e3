// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__LEARN__SCHEDULE_HPP_
#define TRAINING__LEARN__SCHEDULE_HPP_

#include <algorithm>
#include <cmath>

#include "training/config.hpp"

namespace mgproto
{

struct LearningRates
{
  double backbone = 0;
  double add_on = 0;
  double proxies = 0;
  double em = 0;
};

/// The share of the initial rates at `epoch`, which counts fractions of an epoch too.
inline double decay(const ScheduleConfig & schedule, double epoch)
{
  if (schedule.decay == ScheduleConfig::Decay::cosine) {
    constexpr double kPi = 3.14159265358979323846;
    return 0.5 * (1 + std::cos(kPi * std::min(1.0, epoch / schedule.epochs)));
  }
  double steps = 0;
  if (!schedule.decay_at.empty()) {
    for (const int at : schedule.decay_at) {
      steps += epoch >= at ? 1 : 0;
    }
  } else if (schedule.decay_every > 0) {
    steps = std::floor(epoch / schedule.decay_every);
  }
  return std::pow(schedule.decay_factor, steps);
}

inline LearningRates rates_at(const TrainingConfig & config, double epoch)
{
  const double share = decay(config.schedule, epoch);
  const bool frozen = epoch < config.schedule.frozen_backbone_epochs;
  return {
    frozen ? 0.0 : config.schedule.backbone_rate * share, config.schedule.add_on_rate * share,
    config.schedule.proxy_rate * share, config.em.learning_rate * share};
}

}  // namespace mgproto

#endif  // TRAINING__LEARN__SCHEDULE_HPP_
