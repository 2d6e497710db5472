// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/nn/dense.hpp"
#include "troupe/tensor/ops/volumes.hpp"

namespace troupe::nn {

/// Options of `troupe::conv3d` and of the layer's parameters.
struct conv3d_options {
  depth_height_width stride = 1;
  depth_height_width padding = 0;   ///< zeros on both sides
  depth_height_width dilation = 1;  ///< distance between elements that the kernel reads
  std::int64_t groups = 1;          ///< groups of channels, each with its own filters
  bool bias = true;
  initialiser weight = init::lecun_uniform();
  initialiser first_bias = init::constant(0);
};

/// Convolution layer for volumes: activation(conv3d(x, weight, bias)) of x [n, channels, d, h, w]
/// gives [n, filters, d', h', w'], see `troupe::conv3d`. weight is [filters, channels / groups,
/// kernel d, kernel h, kernel w], and bias [filters]; the number of channels is learnt at the first
/// call. Throws for fewer than one filter or group, for filters that are no multiple of the groups,
/// and for a kernel, stride or dilation below 1 and a negative padding; when called, for an x that
/// is not floating-point or has other axes, and where `troupe::conv3d` does.
class conv3d {
 public:
  conv3d(std::int64_t filters, depth_height_width kernel, activation then = nullptr,
         conv3d_options options = {}, caller where = caller::current());
  conv3d(std::int64_t filters, depth_height_width kernel, conv3d_options options,
         caller where = caller::current())
      : conv3d(filters, kernel, nullptr, std::move(options), where) {}

  tensor operator()(const tensor& x, caller where = caller::current()) const;
  void members(auto&& each) {
    if (options_.bias) each("weight", weight, "bias", bias);
    else each("weight", weight);
  }

  parameter weight, bias;

 private:
  void initialise(const tensor& x, caller where) const;

  std::int64_t filters_;
  depth_height_width kernel_;
  activation then_;
  conv3d_options options_;
};

}  // namespace troupe::nn
