// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include "troupe/tensor/tensor.hpp"

namespace troupe {

/// Sums of products that an equation in NumPy's notation names: each operand's axes have a letter,
/// those with the same letter go along together, and what the output has no letter for is summed:
///
///     einsum("ij,jk->ik", {a, b})          // matmul(a, b)
///     einsum("bhqd,bhkd->bhqk", {q, k})    // matmul(q, swapaxes(k, -1, -2))
///     einsum("ii", {a})                    // the trace
///     einsum("...i,...i->...", {x, y})     // vecdot(x, y)
///
/// Without `->` the output has the axes of `...` and the letters that stand once, in alphabetical
/// order. Axes of size 1 broadcast, and so do those of `...`. Dtypes are promoted, and the sums
/// have that dtype; of bool a product is and, a sum is or. Several operands are multiplied two at a
/// time, in an order that needs little work. Throws for equations that are none, and for operands
/// that have not such axes.
tensor einsum(std::string_view equation, const std::vector<tensor>& operands,
              caller where = caller::current());

}  // namespace troupe
