// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/nn/initialiser.hpp"
#include "troupe/nn/module.hpp"

namespace troupe::nn {

struct layer_norm_options {
  double epsilon = 1e-5;  ///< added to the variance
  bool affine = true;     ///< if true, there are a weight and a bias
};

/// Layer normalisation: (x - mean) / sqrt(variance + epsilon) * weight + bias, with statistics over
/// the last axis of x, or over its last `axes`: separately for each sample, the same in training
/// and evaluation. Ba, Kiros and Hinton 2016.
///
/// Weight and bias have the shape of those axes, which is learnt at the first call. Throws for
/// fewer than one axis, a negative epsilon, an x with fewer axes or not floating-point, or with
/// another shape of those axes than before.
class layer_norm {
 public:
  explicit layer_norm(int axes = 1, layer_norm_options options = {},
                      caller where = caller::current());
  explicit layer_norm(layer_norm_options options, caller where = caller::current())
      : layer_norm(1, options, where) {}

  tensor operator()(const tensor& x, caller where = caller::current()) const;
  void members(auto&& each) {
    if (options_.affine) each("weight", weight, "bias", bias);
  }

  parameter weight, bias;

 private:
  void initialise(const tensor& x, caller where) const;

  int axes_;
  layer_norm_options options_;
};

}  // namespace troupe::nn
