// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/nn/optimisers/optimiser.hpp"

namespace troupe::nn {

struct lion_options {
  schedule rate = 1e-4;
  double beta1 = 0.9;
  double beta2 = 0.99;
  double weight_decay = 0;
  double clip_norm = no_limit;
  double clip_value = no_limit;
};

/// Lion: p -= rate weight_decay p, then p -= rate sign(beta1 m + (1 - beta1) g), then m = beta2 m +
/// (1 - beta2) g. Every step of an element has the same size, so rates are a third to a tenth of
/// Adam's, and weight decays as much greater. Chen et al. 2023, "Symbolic discovery of optimization
/// algorithms". Its state is "mean".
class lion final : public optimiser {
 public:
  /// Prepares the training of these parameters. Throws for options out of range, no parameters, and
  /// a parameter given twice.
  explicit lion(std::vector<parameter> parameters, const lion_options& options = {},
                caller where = caller::current()) {
    add(std::move(parameters), options, where);
  }
  /// Adds parameters with options of their own.
  void add(std::vector<parameter> parameters, const lion_options& options,
           caller where = caller::current());
};

}  // namespace troupe::nn
