// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/nn/optimisers/optimiser.hpp"

namespace troupe::nn {

struct sgd_options {
  schedule rate = 0.01;
  double momentum = 0;
  bool nesterov = false;  ///< requires momentum
  double weight_decay = 0;
  double clip_norm = no_limit;
  double clip_value = no_limit;
};

/// Stochastic gradient descent as PyTorch's SGD: g += weight_decay p; without momentum p -= rate g;
/// else m = momentum m + g and p -= rate m, or with Nesterov's p -= rate (g + momentum m).
/// Sutskever et al. 2013, "On the importance of initialization and momentum in deep learning". Its
/// state is "momentum".
class sgd final : public optimiser {
 public:
  /// Prepares the training of these parameters. Throws for options out of range, no parameters, and
  /// a parameter given twice.
  explicit sgd(std::vector<parameter> parameters, const sgd_options& options = {},
               caller where = caller::current()) {
    add(std::move(parameters), options, where);
  }
  /// Adds parameters with options of their own. They may differ in having momentum, too.
  void add(std::vector<parameter> parameters, const sgd_options& options,
           caller where = caller::current());
};

}  // namespace troupe::nn
