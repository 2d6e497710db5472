// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tasks/operation.hpp"
#include "troupe/tensor/tensor.hpp"

/// The ways back of slices and `take`: what gradients need.

namespace troupe {

/// An array of shape `sizes`, zero but for the part that `part` describes, where the elements of
/// `x` are. `part` has the shape of `x` and no element twice. Of floats.
tensor unslice(const tensor& x, const layout& part, const shape& sizes,
               caller where = caller::current());

/// Zeros to which slices of `x` are added along an axis, one for each index: `take` the other way
/// round. The axes of `indices` (integers; negative ones count from the end) are those of `x` from
/// `axis` on; one of size `length` takes their place. Of floats. An index out of bounds fails the
/// result.
tensor index_add(const tensor& x, const tensor& indices, int axis, std::int64_t length,
                 caller where = caller::current());

extern const operation unslice_operation;
extern const operation index_add_operation;

}  // namespace troupe
