// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "troupe/devices/attributes.hpp"
#include "troupe/tasks/operation.hpp"
#include "troupe/tensor/tensor.hpp"

/// Arrays with some elements of others. Where nobody else needs it, the result takes over the
/// memory of `x`. What is put there has the dtype of `x`.

namespace troupe {

/// `x`, but with the elements of `y` in a part of it. `part` is a view of a contiguous array with
/// the shape of `x`, no element twice; its shape is that of `y`.
tensor replace_part(const tensor& x, const tensor& y, const layout& part,
                    caller where = caller::current());

/// `x` after slices were put at positions along an axis, in order; negative positions count from
/// the end, and one that is out of bounds fails the result. In `slices` the axes of the indices
/// stand in the place of the axis. Throws for an axis that is not there, indices that are no
/// integers, other shapes and dtypes.
tensor put(put_op op, const tensor& x, const tensor& indices, const tensor& slices, int axis,
           caller where = caller::current());

/// The positions, in row-major order, of what is true: int64. A sync point, since their number is
/// not known before; `what` is the name of the function that waits.
tensor true_positions(const tensor& mask, caller where = caller::current(),
                      const char* what = "true_positions");

extern const operation replace_part_operation, true_positions_operation;
/// The records of `put`, in the order of put_op.
std::span<const operation> put_operations() noexcept;

}  // namespace troupe
