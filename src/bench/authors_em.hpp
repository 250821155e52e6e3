// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef BENCH__AUTHORS_EM_HPP_
#define BENCH__AUTHORS_EM_HPP_

#include <torch/types.h>

#include <memory>
#include <vector>

namespace torch::optim
{
class Adam;
}

namespace mgproto::bench
{

/// The modified EM the way the MGProto authors compute it, as a mark to measure ours against: class
/// after class, differences [N, M, D], gradients by autograd, and in every loop of every class one
/// step of one Adam over the means of all classes, which moves the other classes, too.
class AuthorsEm
{
public:
  AuthorsEm(
    const torch::Tensor & means /*[C, M, D]*/, const torch::Tensor & priors /*[C, M]*/,
    double learning_rate);
  ~AuthorsEm();

  /// `features` [C, N, D].
  void update(
    const torch::Tensor & features, const std::vector<std::int64_t> & classes, int loops = 3);

  torch::Tensor means() const { return means_.detach(); }
  const torch::Tensor & priors() const { return priors_; }

private:
  torch::Tensor means_;  // learns
  torch::Tensor priors_;
  std::unique_ptr<torch::optim::Adam> adam_;
};

}  // namespace mgproto::bench

#endif  // BENCH__AUTHORS_EM_HPP_
