// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>

#include "troupe/devices/block_reduction.hpp"
#include "troupe/devices/cpu/reduction_plan.hpp"
#include "troupe/devices/cpu/simd/reduction_loops.hpp"

/// Parts that the kernels of reductions have in common.

namespace troupe::cpu_kernels {

constexpr bool is_extreme(reduction_op op) noexcept {
  return op == reduction_op::max || op == reduction_op::min || op == reduction_op::argmax ||
         op == reduction_op::argmin;
}

/// The dtype that a reduction computes in. Narrow integers are compared as they are stored.
constexpr dtype compute_type(reduction_op op, dtype input) noexcept {
  if (is_extreme(op) && is_narrow_integer(input)) return input;
  const bool real = op == reduction_op::mean || op == reduction_op::variance ||
                    op == reduction_op::logsumexp || op == reduction_op::sum_of_squares;
  return real && !is_floating(input) ? float64 : computed(input);
}

template <reduction_op Op, dtype Input>
const reduction_loops& loops_of() noexcept {
  constexpr int op = static_cast<int>(Op), type = static_cast<int>(compute_type(Op, Input));
  if constexpr (Op == reduction_op::argmax || Op == reduction_op::argmin)
    return TROUPE_SELECT(arg_loops).loops[op][type];
  else if constexpr (Op == reduction_op::variance || Op == reduction_op::logsumexp)
    return TROUPE_SELECT(statistic_loops).loops[op][type];
  else return TROUPE_SELECT(fold_loops).loops[op][type];
}

inline int ddof_of(const kernel_args& args) noexcept {
  return static_cast<const reduction_attributes*>(args.attributes)->ddof;
}

/// Numbers in a row of scratch memory: chunks share no cache line.
inline std::int64_t padded_results(const reduction_plan& plan) noexcept {
  return (plan.results + 7) / 8 * 8;
}

/// The partial results that a split leaves in scratch memory.
inline partials part_of(const kernel_args& args, const reduction_plan& plan,
                        std::int64_t split) noexcept {
  number* const value = static_cast<number*>(args.scratch) + 2 * split * padded_results(plan);
  const std::int64_t begin = split * plan.part;
  return {value, value + padded_results(plan), std::min(plan.part, plan.elements - begin)};
}

inline constexpr std::size_t reduction_count = std::size_t{reduction_op_count} * dtype_count;
/// Reductions in blocks, by operation and then by dtype of the input.
extern const std::array<block_reduction, reduction_count> reduction_blocks;

}  // namespace troupe::cpu_kernels
