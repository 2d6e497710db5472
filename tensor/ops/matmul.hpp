// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tasks/operation.hpp"
#include "troupe/tensor/tensor.hpp"

namespace troupe {

/// The matrix product of the last two axes; the axes before them broadcast. A vector counts as a
/// row on the left and as a column on the right, and its axis goes away. Throws if the inner sizes
/// differ or an input is a scalar.
tensor matmul(const tensor& a, const tensor& b, caller where = caller::current());

/// NumPy's dot: as `matmul` for up to two axes; a scalar multiplies; with more axes, all pairs of a
/// vector of the last axis of `a` and one of the last but one axis of `b`.
tensor dot(const tensor& a, const tensor& b, caller where = caller::current());

extern const operation matmul_operation;

namespace detail {

/// The form in which matrices are multiplied: of a dtype, and as they lie, or copied where each
/// part of the product would have to copy them for itself. `x` has two axes or more.
tensor matrix_operand(const tensor& x, dtype element, caller where);

}  // namespace detail

}  // namespace troupe
