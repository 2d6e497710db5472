// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/nn/dense.hpp"

namespace troupe::nn {

struct conv1d_options {
  std::int64_t stride = 1;
  std::int64_t padding = 0;   ///< zeros on both sides
  std::int64_t dilation = 1;  ///< distance between elements that the kernel reads
  std::int64_t groups = 1;    ///< groups of channels, each with its own filters
  bool bias = true;
  initialiser weight = init::lecun_uniform();
  initialiser first_bias = init::constant(0);
};

/// Convolution layer for sequences, as PyTorch's Conv1d: activation(convolution + bias) of x [n,
/// channels, length] gives [n, filters, length'], where length' is (length + 2 padding - dilation
/// (kernel - 1) - 1) / stride + 1, rounded down. weight is [filters, channels / groups, kernel] and
/// bias [filters]; the number of channels is learnt at the first call. Throws for fewer than one
/// filter, element of the kernel or group, for filters that are no multiple of the groups, a stride
/// or dilation below 1 and a negative padding; when called, for an x that is not floating-point or
/// has other axes or channels, or is shorter than the kernel.
class conv1d {
 public:
  conv1d(std::int64_t filters, std::int64_t kernel, activation then = nullptr,
         conv1d_options options = {}, caller where = caller::current());
  conv1d(std::int64_t filters, std::int64_t kernel, conv1d_options options,
         caller where = caller::current())
      : conv1d(filters, kernel, nullptr, std::move(options), where) {}

  tensor operator()(const tensor& x, caller where = caller::current()) const;
  void members(auto&& each) {
    if (options_.bias) each("weight", weight, "bias", bias);
    else each("weight", weight);
  }

  parameter weight, bias;

 private:
  void initialise(const tensor& x, caller where) const;

  std::int64_t filters_, kernel_;
  activation then_;
  conv1d_options options_;
};

}  // namespace troupe::nn
