// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/nn/dense.hpp"
#include "troupe/tensor/ops/height_width.hpp"

namespace troupe::nn {

/// Options of `troupe::conv2d` and of the layer's parameters.
struct conv2d_options {
  height_width stride = 1;
  height_width padding = 0;   ///< zeros on both sides
  height_width dilation = 1;  ///< distance between elements that the kernel reads
  std::int64_t groups = 1;    ///< groups of channels, each with its own filters
  bool bias = true;
  initialiser weight = init::lecun_uniform();
  initialiser first_bias = init::constant(0);
};

/// Convolution layer: activation(conv2d(x, weight, bias)) of images x [n, channels, h, w] gives [n,
/// filters, h', w'], see `troupe::conv2d`. weight is [filters, channels / groups, kernel h, kernel
/// w], and bias [filters]; the number of channels is learnt at the first call. Throws for fewer
/// than one filter or group, and for filters that are no multiple of the groups; when called, for
/// an x that is not floating-point or has other axes, and where `troupe::conv2d` does.
class conv2d {
 public:
  conv2d(std::int64_t filters, height_width kernel, activation then = nullptr,
         conv2d_options options = {}, caller where = caller::current());
  conv2d(std::int64_t filters, height_width kernel, conv2d_options options,
         caller where = caller::current())
      : conv2d(filters, kernel, nullptr, std::move(options), where) {}

  tensor operator()(const tensor& x, caller where = caller::current()) const;
  void members(auto&& each) {
    if (options_.bias) each("weight", weight, "bias", bias);
    else each("weight", weight);
  }

  parameter weight, bias;

 private:
  void initialise(const tensor& x, caller where) const;

  std::int64_t filters_;
  height_width kernel_;
  activation then_;
  conv2d_options options_;
};

}  // namespace troupe::nn
