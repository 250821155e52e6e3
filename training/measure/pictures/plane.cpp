// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#include "training/measure/pictures/plane.hpp"

#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "training/measure/checked_input.hpp"

namespace mgproto
{
namespace
{

// Attraction is exaggerated at first, so that groups form before they have to part.
constexpr double kExaggeration = 12;
constexpr int kExaggerated = 100;  // iterations
constexpr int kIterations = 500;
constexpr double kStartDeviation = 1e-4;

torch::Tensor finite_rows(const torch::Tensor & points)
{
  return checked_rows(points, "points").nan_to_num(0, 0, 0);
}

/// Turns squared distances from point i into the probabilities p(j|i) ~ exp(-beta d_j), with beta
/// such that their entropy is that of `perplexity` equally near neighbours.
void to_probabilities(double * row, std::size_t n, std::size_t i, double perplexity)
{
  const double wanted = std::log(perplexity);
  row[i] = std::numeric_limits<double>::infinity();
  const double nearest = *std::min_element(row, row + n);
  std::vector<double> weights(n);
  double low = 0;
  double high = std::numeric_limits<double>::infinity();
  double beta = 1;
  double sum = 1;
  for (int step = 0; step < 64; ++step) {
    sum = 0;
    double mean = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const double beyond = j == i ? 0 : row[j] - nearest;
      weights[j] = j == i ? 0 : std::exp(-beta * beyond);
      sum += weights[j];
      mean += weights[j] * beyond;
    }
    const double entropy = std::log(sum) + beta * mean / sum;
    if (std::abs(entropy - wanted) < 1e-5) {
      break;
    }
    (entropy > wanted ? low : high) = beta;
    beta = std::isinf(high) ? 2 * beta : (low + high) / 2;
  }
  std::transform(weights.begin(), weights.end(), row, [sum](double w) { return w / sum; });
}

/// p(i, j) [N, N], symmetric, sums to 1.
torch::Tensor neighbourhoods(const torch::Tensor & points, double perplexity)
{
  constexpr int kNoMatrixProduct = 2;  // exact, so that equal points are at distance 0
  torch::Tensor p = torch::cdist(points, points, 2, kNoMatrixProduct).square().contiguous();
  const auto n = static_cast<std::size_t>(p.size(0));
  for (std::size_t i = 0; i < n; ++i) {
    to_probabilities(p.data_ptr<double>() + i * n, n, i, perplexity);
  }
  return ((p + p.t()) / (2.0 * static_cast<double>(n))).contiguous();
}

/// Points in the plane that move against the gradient of KL(p || q), q(i, j) ~ 1 / (1 + d^2).
class Layout
{
public:
  Layout(const torch::Tensor & p, const torch::Tensor & start)
  : p_(p),
    n_(p.size(0)),
    position_(start.data_ptr<double>(), start.data_ptr<double>() + start.numel()),
    velocity_(2 * n_, 0),
    gain_(2 * n_, 1)
  {
  }

  void step(double exaggeration, double momentum)
  {
    const std::vector<double> slope = gradient(exaggeration);
    // In a tight group the attraction is 4 * exaggeration / N times the distance to its middle:
    // this rate would bring a point right there.
    const double rate = static_cast<double>(n_) / (4 * exaggeration);
    for (std::size_t i = 0; i < position_.size(); ++i) {
      const bool goes_on = (slope[i] > 0) != (velocity_[i] > 0);
      gain_[i] = goes_on ? gain_[i] + 0.2 : std::max(0.01, 0.8 * gain_[i]);
      velocity_[i] = momentum * velocity_[i] - rate * gain_[i] * slope[i];
      position_[i] += velocity_[i];
    }
  }

  torch::Tensor positions() const
  {
    return torch::tensor(position_, torch::kFloat64).view({-1, 2});
  }

private:
  std::vector<double> gradient(double exaggeration) const
  {
    const double * p = p_.data_ptr<double>();
    std::vector<double> attraction(2 * n_, 0);
    std::vector<double> repulsion(2 * n_, 0);
    double sum = 0;  // of 1 / (1 + d^2) over all ordered pairs
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = i + 1; j < n_; ++j) {
        const double x = position_[2 * i] - position_[2 * j];
        const double y = position_[2 * i + 1] - position_[2 * j + 1];
        const double near = 1 / (1 + x * x + y * y);
        const double pull = p[i * n_ + j] * near;
        const double push = near * near;
        sum += 2 * near;
        attraction[2 * i] += pull * x;
        attraction[2 * i + 1] += pull * y;
        attraction[2 * j] -= pull * x;
        attraction[2 * j + 1] -= pull * y;
        repulsion[2 * i] += push * x;
        repulsion[2 * i + 1] += push * y;
        repulsion[2 * j] -= push * x;
        repulsion[2 * j + 1] -= push * y;
      }
    }
    for (std::size_t i = 0; i < attraction.size(); ++i) {
      attraction[i] = 4 * (exaggeration * attraction[i] - repulsion[i] / sum);
    }
    return attraction;
  }

  torch::Tensor p_;  // [N, N]
  std::size_t n_;
  std::vector<double> position_;  // [N, 2], as the others
  std::vector<double> velocity_;
  std::vector<double> gain_;  // larger while a coordinate keeps its direction
};

}  // namespace

torch::Tensor pca_plane(const torch::Tensor & points)
{
  const torch::Tensor rows = finite_rows(points);
  const torch::Tensor centred = rows - rows.mean(0);
  const torch::Tensor directions =
    std::get<1>(torch::linalg_eigh(centred.t().matmul(centred)));  // [D, D], by rising variance
  torch::Tensor plane = torch::zeros({rows.size(0), 2}, torch::kFloat64);
  for (std::int64_t d = 0; d < std::min<std::int64_t>(2, rows.size(1)); ++d) {
    const torch::Tensor direction = directions.select(1, rows.size(1) - 1 - d);
    const torch::Tensor sign = direction[direction.abs().argmax()].sign();
    plane.select(1, d).copy_(centred.matmul(direction) * sign);
  }
  return plane;
}

torch::Tensor tsne_plane(const torch::Tensor & points, double perplexity)
{
  const torch::Tensor rows = finite_rows(points);
  const std::int64_t n = rows.size(0);
  torch::Tensor start = pca_plane(rows);
  if (n < 3) {  // no neighbours to choose among
    return start;
  }
  const auto deviation = start.select(1, 0).square().mean().sqrt().item<double>();
  if (deviation > 0) {
    start = start * (kStartDeviation / deviation);
  }
  const double others = static_cast<double>(n - 1);
  Layout layout(
    neighbourhoods(rows, std::clamp(perplexity, 1.0, std::max(1.0, others / 3))),
    start.contiguous());
  for (int i = 0; i < kIterations; ++i) {
    const bool early = i < kExaggerated;
    layout.step(early ? kExaggeration : 1, early ? 0.5 : 0.8);
  }
  return layout.positions();
}

}  // namespace mgproto
