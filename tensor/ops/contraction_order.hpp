// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "troupe/tensor/ops/einsum_equation.hpp"

namespace troupe {

/// Product of two operands. The first operands have the first numbers; each product gets the next.
struct contraction {
  std::size_t x, y;
};

/// Returns in which order to multiply operands with these labels, two at a time. Up to six operands
/// it is the order with the fewest multiplications. Of more, those two go first whose product is
/// the smallest, measured against the two.
std::vector<contraction> contraction_order(std::span<const label_set> operands, label_set output,
                                           const std::int64_t* sizes);

}  // namespace troupe
