// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/nn/optimisers/optimiser.hpp"

namespace troupe::nn {

struct adagrad_options {
  schedule rate = 0.01;
  double rate_decay = 0;
  double weight_decay = 0;
  double initial_sum = 0;
  double epsilon = 1e-10;
  double clip_norm = no_limit;
  double clip_value = no_limit;
};

/// Adagrad as in PyTorch: in a parameter's step number t, counted from 1, g += weight_decay p; s +=
/// g^2, starting from initial_sum; p -= rate / (1 + (t - 1) rate_decay) g / (sqrt(s) + epsilon).
/// Duchi, Hazan and Singer 2011, "Adaptive subgradient methods". Its state is "square_sum" and
/// "steps".
class adagrad final : public optimiser {
 public:
  /// Prepares the training of these parameters. Throws for options out of range, no parameters, and
  /// a parameter given twice.
  explicit adagrad(std::vector<parameter> parameters, const adagrad_options& options = {},
                   caller where = caller::current()) {
    add(std::move(parameters), options, where);
  }
  /// Adds parameters with options of their own.
  void add(std::vector<parameter> parameters, const adagrad_options& options,
           caller where = caller::current());
};

}  // namespace troupe::nn
