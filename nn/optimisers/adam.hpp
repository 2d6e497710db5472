// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/nn/optimisers/optimiser.hpp"

namespace troupe::nn {

struct adam_options {
  schedule rate = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 0;
  bool amsgrad = false;
  double clip_norm = no_limit;
  double clip_value = no_limit;
};

/// Adam as in PyTorch: in a parameter's step number t, counted from 1, g += weight_decay p; m =
/// beta1 m + (1 - beta1) g; v = beta2 v + (1 - beta2) g^2; p -= rate / (1 - beta1^t) m / (sqrt(v /
/// (1 - beta2^t)) + epsilon). Kingma and Ba 2015, "Adam". With amsgrad, the greatest v so far
/// stands in place of v: Reddi, Kale and Kumar 2018, "On the convergence of Adam and beyond". Its
/// state is "mean", "square_mean", with amsgrad "greatest_square_mean", and "steps".
class adam final : public optimiser {
 public:
  /// Prepares the training of these parameters. Throws for options out of range, no parameters, and
  /// a parameter given twice.
  explicit adam(std::vector<parameter> parameters, const adam_options& options = {},
                caller where = caller::current()) {
    add(std::move(parameters), options, where);
  }
  /// Adds parameters with options of their own.
  void add(std::vector<parameter> parameters, const adam_options& options,
           caller where = caller::current());
};

struct adamw_options {
  schedule rate = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 0.01;
  bool amsgrad = false;
  double clip_norm = no_limit;
  double clip_value = no_limit;
};

/// Adam with weight decay separate from the gradient, as PyTorch's AdamW: p -= rate weight_decay p,
/// then as `adam` without weight_decay. Loshchilov and Hutter 2019, "Decoupled weight decay
/// regularization".
class adamw final : public optimiser {
 public:
  /// Prepares the training of these parameters. Throws for options out of range, no parameters, and
  /// a parameter given twice.
  explicit adamw(std::vector<parameter> parameters, const adamw_options& options = {},
                 caller where = caller::current()) {
    add(std::move(parameters), options, where);
  }
  /// Adds parameters with options of their own.
  void add(std::vector<parameter> parameters, const adamw_options& options,
           caller where = caller::current());
};

}  // namespace troupe::nn
