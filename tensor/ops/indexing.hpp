// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "troupe/tasks/operation.hpp"
#include "troupe/tensor/tensor.hpp"

/// Tensors joined, and elements picked by tensors of indices. Negative indices count from the end;
/// one that is out of bounds fails the result. What picks throws for an axis that is not there,
/// indices that are no integers and shapes that do not fit.

namespace troupe {

/// Joined along an axis that they have; the other axes must be equal. Dtypes are promoted. Throws
/// for no tensors.
tensor concatenate(const std::vector<tensor>& parts, int axis = 0,
                   caller where = caller::current());
/// Joined along a new axis; their shapes must be equal.
tensor stack(const std::vector<tensor>& parts, int axis = 0, caller where = caller::current());

/// The elements at the given positions along an axis, or among all in row-major order. The indices'
/// shape takes the place of the axis.
tensor take(const tensor& x, const tensor& indices, optional_axis axis = {},
            caller where = caller::current());

/// out[i, j, ...] = x[i, indices[i, j, ...], ...] for axis 1, likewise for others: the elements
/// that argmax, say, has found. `x` and `indices` have as many axes and broadcast but along this
/// one. NumPy's.
tensor take_along_axis(const tensor& x, const tensor& indices, int axis,
                       caller where = caller::current());

/// For each place the element at its label along the axis of the classes, which goes away. `labels`
/// have the shape of `x` without it; a negative one is none.
tensor take_labels(const tensor& x, const tensor& labels, int axis = -1,
                   caller where = caller::current());

extern const operation concatenate_operation, take_operation, take_along_axis_operation;

}  // namespace troupe
