// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tasks/operation.hpp"
#include "troupe/tensor/tensor.hpp"

namespace troupe {

/// The same bytes as elements of another dtype, as NumPy's `view(dtype)`: bits of float32 as int32.
/// The last axis grows or shrinks with the size of the elements; the result is an array of its own.
/// Throws for bool as the dtype, and where the last axis cannot be divided so. Gradients flow
/// between complex numbers and their parts; other bits have none, and asking for it is an error,
/// also where bits come back as floats. What is to be constant is given to it by `detach()`.
tensor view_as(const tensor& x, dtype element, caller where = caller::current());

extern const operation view_as_operation;

}  // namespace troupe
