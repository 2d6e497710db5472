// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/nn/dense.hpp"
#include "troupe/tensor/ops/height_width.hpp"

/// Transposed convolutions: what goes back to the input of a convolution, as layers that make
/// images and sequences larger. PyTorch's ConvTranspose2d and ConvTranspose1d; Zeiler et al. 2010,
/// "Deconvolutional networks".

namespace troupe::nn {

struct conv_transpose2d_options {
  height_width stride = 1;          ///< distance between the places of neighbouring elements
  height_width padding = 0;         ///< elements cut off on both sides
  height_width output_padding = 0;  ///< more elements at the bottom and on the right; below stride
  height_width dilation = 1;        ///< distance between elements that the kernel writes
  std::int64_t groups = 1;          ///< groups of channels, each with its own filters
  bool bias = true;
  initialiser weight = init::lecun_uniform();
  initialiser first_bias = init::constant(0);
};

/// Layer that adds up, for each element of images x [n, channels, h, w], its multiple of a kernel
/// at its place: gives [n, filters, h', w'], where h' is (h - 1) stride - 2 padding + dilation
/// (kernel - 1) + output_padding + 1. weight is [channels, filters / groups, kernel h, kernel w],
/// and bias [filters]; the number of channels is learnt at the first call. Throws for fewer than
/// one filter or group, filters that are no multiple of the groups, and a way of the kernel that
/// makes no sense; when called, for an x that is not floating-point or has other axes or channels,
/// and if nothing would be left of the result.
class conv_transpose2d {
 public:
  conv_transpose2d(std::int64_t filters, height_width kernel, activation then = nullptr,
                   conv_transpose2d_options options = {}, caller where = caller::current());
  conv_transpose2d(std::int64_t filters, height_width kernel, conv_transpose2d_options options,
                   caller where = caller::current())
      : conv_transpose2d(filters, kernel, nullptr, std::move(options), where) {}

  tensor operator()(const tensor& x, caller where = caller::current()) const;
  void members(auto&& each) {
    if (options_.bias) each("weight", weight, "bias", bias);
    else each("weight", weight);
  }

  parameter weight, bias;

 private:
  std::int64_t filters_;
  height_width kernel_;
  activation then_;
  conv_transpose2d_options options_;
};

struct conv_transpose1d_options {
  std::int64_t stride = 1;
  std::int64_t padding = 0;
  std::int64_t output_padding = 0;
  std::int64_t dilation = 1;
  std::int64_t groups = 1;
  bool bias = true;
  initialiser weight = init::lecun_uniform();
  initialiser first_bias = init::constant(0);
};

/// The same for sequences x [n, channels, length]. weight is [channels, filters / groups, kernel].
class conv_transpose1d {
 public:
  conv_transpose1d(std::int64_t filters, std::int64_t kernel, activation then = nullptr,
                   conv_transpose1d_options options = {}, caller where = caller::current());
  conv_transpose1d(std::int64_t filters, std::int64_t kernel, conv_transpose1d_options options,
                   caller where = caller::current())
      : conv_transpose1d(filters, kernel, nullptr, std::move(options), where) {}

  tensor operator()(const tensor& x, caller where = caller::current()) const;
  void members(auto&& each) {
    if (options_.bias) each("weight", weight, "bias", bias);
    else each("weight", weight);
  }

  parameter weight, bias;

 private:
  std::int64_t filters_, kernel_;
  activation then_;
  conv_transpose1d_options options_;
};

}  // namespace troupe::nn
