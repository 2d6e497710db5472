// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/nn/initialiser.hpp"
#include "troupe/nn/module.hpp"

namespace troupe::nn {

struct rms_norm_options {
  double epsilon = 1e-6;  ///< added to the mean square
  bool affine = true;     ///< if true, there is a weight
};

/// Normalisation by the root of the mean square over the last axis of x [..., size]: x /
/// sqrt(mean(x^2) + epsilon) * weight, the same in training and evaluation. Zhang and Sennrich
/// 2019, "Root mean square layer normalization".
///
/// Weight is [size], which is learnt at the first call. Throws for a negative epsilon, an x without
/// axes or not floating-point, or with another size than before.
class rms_norm {
 public:
  explicit rms_norm(rms_norm_options options = {}, caller where = caller::current());

  tensor operator()(const tensor& x, caller where = caller::current()) const;
  void members(auto&& each) {
    if (options_.affine) each("weight", weight);
  }

  parameter weight;

 private:
  rms_norm_options options_;
};

}  // namespace troupe::nn
