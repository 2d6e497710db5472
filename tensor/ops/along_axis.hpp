// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tasks/operation.hpp"
#include "troupe/tensor/tensor.hpp"

/// Elements at positions along an axis that differ from place to place. They throw for an axis that
/// is not there, for indices that are no integers and for shapes that do not fit. An index that is
/// out of bounds fails the result.

namespace troupe {

/// out[i, j, ...] = x[i, indices[i, j, ...], ...] for axis 1, likewise for others: what argmax,
/// say, has found. `x` and `indices` have as many axes and broadcast but along this one; negative
/// indices count from the end. NumPy's.
tensor take_along_axis(const tensor& x, const tensor& indices, int axis,
                       caller where = caller::current());

/// For each place the element at its label along the axis of the classes, which goes away. `labels`
/// have the shape of `x` without it; a negative one is none.
tensor take_labels(const tensor& x, const tensor& labels, int axis = -1,
                   caller where = caller::current());

/// Zeros, of size `length` along the axis, to which elements are added at their indices:
/// take_along_axis the other way round. `x`, of floats, and `indices` have the same shape.
tensor add_along_axis(const tensor& x, const tensor& indices, int axis, std::int64_t length,
                      caller where = caller::current());

extern const operation take_along_axis_operation;
extern const operation add_along_axis_operation;

}  // namespace troupe
