// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tensor/tensor.hpp"
#include "troupe/tensor/tensor_options.hpp"

/// Positions in a sequence, as numbers that networks take.

namespace troupe::nn {

/// Returns [steps, features] for positions `first`, `first` + 1, ...: sin(p / base^(2 i /
/// features)) as feature 2 i and the cosine as feature 2 i + 1, with base 10000. Vaswani et al.
/// 2017, "Attention is all you need". float32 if the options name no dtype. Throws for negative
/// steps, and for features that are odd or fewer than two.
tensor sinusoidal_positions(std::int64_t steps, std::int64_t features, std::int64_t first = 0,
                            const tensor_options& options = {}, caller where = caller::current());

struct rotary_options {
  std::int64_t first = 0;  ///< position of the first step
  double base = 10'000;
  /// If true, features 2 i and 2 i + 1 are a pair, as in the paper; else i and i + features / 2, as
  /// in GPT-NeoX and LLaMA.
  bool interleaved = false;
};

/// Turns each pair i of features of x [..., steps, features] by the angle p / base^(2 i / features)
/// at position p, so that the product of two steps' features depends on their distance. Su et al.
/// 2021, "RoFormer". The angles are computed in float64. Throws for an x that is not
/// floating-point, has fewer than 2 axes or an odd number of features, and a base that is not
/// positive.
tensor rotary(const tensor& x, const rotary_options& options = {},
              caller where = caller::current());

}  // namespace troupe::nn
