// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "troupe/tensor/ops/random.hpp"

/// Random choices and orders. The options' dtype is that of positions, int32 or int64, which is the
/// default. No gradient flows to weights; it flows to the tensors whose elements are chosen.
///
/// Weights are finite, their logarithms finite or minus infinity; they are not waited for. Of a row
/// without a positive weight, or with one that is negative or NaN, the position is the length of
/// the row: out of bounds for whatever it would choose from, so that choosing fails.

namespace troupe {

/// The meaning of what `categorical` takes.
enum class weights_as : std::uint8_t {
  logarithms,    ///< of weights: logits
  probabilities  ///< weights, whose sum need not be 1
};

/// int64: for each row along an axis a position in it, chosen by the row's weights: the greatest of
/// the logarithms plus numbers of `gumbel` (E. J. Gumbel, "Statistical theory of extreme values",
/// 1954), or of one row by the inverse of its distribution function. The shape is that of the
/// weights without the axis, or one that it broadcasts to. Throws for an axis of size 0.
tensor categorical(const tensor& weights, int axis = -1, weights_as kind = weights_as::logarithms,
                   const std::optional<shape>& sizes = {}, const random_options& options = {},
                   caller where = caller::current());

struct choice_options {
  bool replace = true;  ///< one may be chosen more than once
  tensor p = {};        ///< a weight for each, as probabilities; absent: all are equally likely
  std::optional<troupe::device> device = {};  ///< absent: that of the tensors, or the default one
  std::optional<random_key> key = {};
};

/// Numbers from 0 up to n, chosen at random, in a shape; or slices x[i] of a tensor along its first
/// axis. Without replacement weights count as in one choice after the other. Throws if there is
/// nothing to choose from, or not enough without replacement, and for weights of another shape.
tensor choice(std::int64_t n, const shape& sizes, const choice_options& options = {},
              caller where = caller::current());
tensor choice(const tensor& x, const shape& sizes, const choice_options& options = {},
              caller where = caller::current());

/// 0, 1, ... n - 1 in a random order, each order as likely; or the slices of a tensor along an
/// axis. By the order of random integers of 64 bits.
tensor permutation(std::int64_t n, const random_options& options = {},
                   caller where = caller::current());
tensor permutation(const tensor& x, int axis = 0, const random_options& options = {},
                   caller where = caller::current());

}  // namespace troupe
