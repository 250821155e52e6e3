// Copyright 2026 The mgproto_ros Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef MODEL__BACKBONES__CONVOLUTION_HPP_
#define MODEL__BACKBONES__CONVOLUTION_HPP_

#include <torch/nn/module.h>

#include <atomic>
#include <cstdint>

namespace mgproto
{

struct ConvolutionShape
{
  std::int64_t in = 0;
  std::int64_t out = 0;
  std::int64_t kernel = 1;
  std::int64_t stride = 1;
  std::int64_t padding = 0;
  bool bias = false;
  std::int64_t dilation = 1;
};

/// What randomly drawn weights are to keep: the variance of values, going forward by a number of
/// inputs, or that of gradients, going back by a number of outputs.
enum class Fan
{
  in,
  out
};

/// A convolution whose weights are unset until somebody sets them. LibTorch's own draws them at
/// random when it is made, which takes longer than to read them from a file.
class Convolution : public torch::nn::Module
{
public:
  explicit Convolution(const ConvolutionShape & shape);

  /// After pack_weight() of tensors in oneDNN's layout, and then its output is, too.
  torch::Tensor forward(const torch::Tensor & x) const;

  /// Kaiming's normal distribution, biases of 0.
  void draw_weights(Fan fan = Fan::out);

  /// y becomes y * scale + shift, of each output [out]. For good, without gradients.
  void scale_and_shift(const torch::Tensor & scale, const torch::Tensor & shift);

  /// Puts the weight into the order that oneDNN computes with, instead of doing so at every pass.
  void pack_weight();

  /// Of the last pass, for each image.
  std::int64_t multiply_adds() const
  {
    return shape_.out * shape_.in * shape_.kernel * shape_.kernel * positions_;
  }

  torch::Tensor weight;  ///< [out, in, kernel, kernel]
  torch::Tensor bias;    ///< [out], undefined without one

private:
  ConvolutionShape shape_;
  // Of the last pass's output; passes may run on several threads.
  mutable std::atomic<std::int64_t> positions_{0};
};

}  // namespace mgproto

#endif  // MODEL__BACKBONES__CONVOLUTION_HPP_
