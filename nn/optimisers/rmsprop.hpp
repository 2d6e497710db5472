// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/nn/optimisers/optimiser.hpp"

namespace troupe::nn {

struct rmsprop_options {
  schedule rate = 0.01;
  double alpha = 0.99;
  double epsilon = 1e-8;
  double weight_decay = 0;
  double momentum = 0;
  bool centred = false;
  double clip_norm = no_limit;
  double clip_value = no_limit;
};

/// RMSprop as in PyTorch: g += weight_decay p; v = alpha v + (1 - alpha) g^2; and with d = g /
/// (sqrt(v) + epsilon), p -= rate d, or with momentum b = momentum b + d and p -= rate b. The
/// centred version also has m = alpha m + (1 - alpha) g, and uses v - m^2 in place of v: at least
/// 0, which PyTorch does not ensure. Hinton 2012, "Neural networks for machine learning", lecture
/// 6; Graves 2013, "Generating sequences with recurrent neural networks". Its state is
/// "square_mean", and "mean" and "momentum" where used.
class rmsprop final : public optimiser {
 public:
  /// Prepares the training of these parameters. Throws for options out of range, no parameters, and
  /// a parameter given twice.
  explicit rmsprop(std::vector<parameter> parameters, const rmsprop_options& options = {},
                   caller where = caller::current()) {
    add(std::move(parameters), options, where);
  }
  /// Adds parameters with options of their own.
  void add(std::vector<parameter> parameters, const rmsprop_options& options,
           caller where = caller::current());
};

}  // namespace troupe::nn
