// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__RUN__INITIAL_WEIGHTS_HPP_
#define TRAINING__RUN__INITIAL_WEIGHTS_HPP_

#include <memory>
#include <string>
#include <vector>

#include "datasets/dataset.hpp"
#include "mgproto_ros/manifest.hpp"
#include "model/network.hpp"
#include "training/config.hpp"

namespace mgproto
{

/// The network that a training of these images begins with, but for what start_whitened() does.
std::shared_ptr<Network> initial_network(const TrainingConfig & config, const Dataset & train);

/// What a checkpoint of such a training says about itself.
Manifest manifest_of(const TrainingConfig & config, const Dataset & train);

/// Gives `network`, whose classes have these names, the weights of a checkpoint. Of a model with the
/// same kind of head, unless `only_backbone`, that is backbone, add-on and, if it has the same
/// classes and prototypes, the head; else those classes begin with its prototypes whose name it knows.
/// Otherwise it is the backbone alone. Throws FileError if they do not fit.
void load_initial_weights(
  Network & network, const std::vector<std::string> & classes, const std::string & checkpoint,
  bool only_backbone = false);

/// HeadConfig::whole_dim where it is left open: C - 1 directions tell C classes apart; at least half
/// of the features are left for what places differ in.
int default_whole_dim(int classes, int feature_dim);

}  // namespace mgproto

#endif  // TRAINING__RUN__INITIAL_WEIGHTS_HPP_
