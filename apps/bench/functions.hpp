// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/nn/nn.hpp"
#include "troupe/troupe.hpp"

namespace troupe::bench {

// Computed by us, and by peers that read our programs.

/// The activation of transformers, in nine operations.
inline tensor gelu_by_steps(const tensor& x) {
  return x * 0.5f * (1 + tanh(0.79788456f * (x + 0.044715f * x * x * x)));
}

/// Eight sums and products.
inline tensor chained(const tensor& x, const tensor& y) {
  return (((x * 1.5f + y) * x + 0.25f) * y + x) * 0.75f + y;
}

/// A network for one sample of 512 numbers.
inline nn::sequential small_network() {
  return {nn::dense(256, relu), nn::dense(128, relu), nn::dense(2)};
}

}  // namespace troupe::bench
