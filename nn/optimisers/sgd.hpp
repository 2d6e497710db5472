// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/nn/optimisers/optimiser.hpp"

namespace troupe::nn {

struct sgd_options {
  schedule rate = 0.01;
  double momentum = 0;
  bool nesterov = false;  ///< takes momentum
  double weight_decay = 0;
  double clip_norm = no_limit;
  double clip_value = no_limit;
};

/// Stochastic gradient descent, as PyTorch's SGD: g += weight_decay p; without momentum p -= rate
/// g; else m = momentum m + g and p -= rate m, or with Nesterov's p -= rate (g + momentum m).
/// Sutskever et al. 2013, "On the importance of initialization and momentum in deep learning". It
/// remembers "momentum".
class sgd final : public optimiser {
 public:
  /// Throws for options out of range, no parameters, and a parameter that is there twice.
  explicit sgd(std::vector<parameter> parameters, const sgd_options& options = {},
               caller where = caller::current()) {
    add(std::move(parameters), options, where);
  }
  /// More parameters, with options of their own. Whether there is momentum may differ, too.
  void add(std::vector<parameter> parameters, const sgd_options& options,
           caller where = caller::current());
};

}  // namespace troupe::nn
