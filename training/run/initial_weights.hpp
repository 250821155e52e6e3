// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__RUN__INITIAL_WEIGHTS_HPP_
#define TRAINING__RUN__INITIAL_WEIGHTS_HPP_

#include <memory>
#include <string>

#include "datasets/dataset.hpp"
#include "model/network.hpp"
#include "training/config.hpp"

namespace mgproto
{

/// The network that a training of these images begins with.
std::shared_ptr<Network> initial_network(const TrainingConfig & config, const Dataset & train);

/// Gives `network` the weights of a checkpoint: all of a model with the same kind of head, otherwise
/// the backbone's, and add-on and head stay as they are. Throws FileError if they do not fit.
void load_initial_weights(Network & network, const std::string & checkpoint);

}  // namespace mgproto

#endif  // TRAINING__RUN__INITIAL_WEIGHTS_HPP_
