// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tensor/ops/elementwise.hpp"

/// Activations of networks that are made of other operations, or have a usual slope. Those of one
/// argument can be given to layers, as `relu` can: `nn::dense(64, leaky_relu)`. Of bool and
/// integers: float64. Throw for complex numbers.

namespace troupe {

/// The number, or a hundredth of it where it is negative.
inline tensor leaky_relu(const tensor& x, caller where = caller::current()) {
  return leaky_relu(x, 0.01, where);
}

/// The number, or exp(x) - 1 where it is negative. Clevert et al. 2016.
inline tensor elu(const tensor& x, caller where = caller::current()) { return elu(x, 1., where); }

/// 1.0507 times the number, or 1.7581 times exp(x) - 1 where it is negative: it keeps means of 0
/// and variances of 1. Klambauer et al. 2017.
tensor selu(const tensor& x, caller where = caller::current());

/// The number, but at least 0 and at most 6.
tensor relu6(const tensor& x, caller where = caller::current());

/// log(sigmoid(x)), exact also for large negative numbers.
tensor log_sigmoid(const tensor& x, caller where = caller::current());

/// x + 3, at least 0 and at most 6, divided by 6.
tensor hard_sigmoid(const tensor& x, caller where = caller::current());

/// x times its hard_sigmoid. Howard et al. 2019.
tensor hard_swish(const tensor& x, caller where = caller::current());

/// gelu by a hyperbolic tangent: x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))), as GPT-2 has
/// it. Hendrycks and Gimpel 2016.
tensor gelu_tanh(const tensor& x, caller where = caller::current());

/// x * tanh(softplus(x)). Misra 2019.
tensor mish(const tensor& x, caller where = caller::current());

/// x / (1 + |x|).
tensor softsign(const tensor& x, caller where = caller::current());

}  // namespace troupe
