// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef TRAINING__GROUND__PRUNING_METHOD_HPP_
#define TRAINING__GROUND__PRUNING_METHOD_HPP_

namespace mgproto
{

enum class PruningMethod
{
  importance,  ///< the prototypes of each class with the largest priors stay
  purity,      ///< those whose nearest training patches are of their class
  merge        ///< prototypes that answer alike become one
};

}  // namespace mgproto

#endif  // TRAINING__GROUND__PRUNING_METHOD_HPP_
