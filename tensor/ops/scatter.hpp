// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/attributes.hpp"
#include "troupe/tasks/operation.hpp"
#include "troupe/tensor/tensor.hpp"

/// The ways back of slices, `take` and `take_along_axis`: what gradients need. An index out of
/// bounds fails the result.

namespace troupe {

/// An array of shape `sizes`, zero but for the part that `part` describes, where the elements of
/// `x` are. `part` has the shape of `x` and no element twice. Of floats.
tensor unslice(const tensor& x, const layout& part, const shape& sizes,
               caller where = caller::current());

/// Zeros to which slices of `x` are added along an axis, one for each index: `take` the other way
/// round. The axes of `indices` (integers; negative ones count from the end) are those of `x` from
/// `axis` on; one of size `length` takes their place. Of floats.
tensor index_add(const tensor& x, const tensor& indices, int axis, std::int64_t length,
                 caller where = caller::current());

/// Zeros, of size `length` along the axis, to which elements are added at their indices:
/// `take_along_axis` the other way round. `x`, of floats, and `indices` have the same shape.
tensor add_along_axis(const tensor& x, const tensor& indices, int axis, std::int64_t length,
                      caller where = caller::current());

extern const operation unslice_operation, index_add_operation, add_along_axis_operation;

// Shared by take_along_axis and add_along_axis, each the other's gradient.

/// Throws unless the indices are integers with as many axes as `x`. Returns the axis counted from
/// 0.
int check_along_axis(std::string_view what, const tensor& x, const tensor& indices, int axis,
                     caller where);
/// Each of the two, of what is known to fit.
tensor submit_take_along_axis(const tensor& x, const tensor& indices, along_axis_attributes given,
                              caller where);
tensor submit_add_along_axis(const tensor& x, const tensor& indices, along_axis_attributes given,
                             std::int64_t length, caller where);

}  // namespace troupe
