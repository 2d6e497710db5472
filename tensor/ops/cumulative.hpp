// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "troupe/tasks/operation.hpp"
#include "troupe/tensor/tensor.hpp"

/// Functions of the elements up to each one along an axis, or among all in row-major order; then
/// the result has one axis. They throw for an axis that is not there.

namespace troupe {

/// The sums. Of bool and integers: int64.
tensor cumsum(const tensor& x, optional_axis axis = {}, caller where = caller::current());
/// The products. Of bool and integers: int64. A float32 or float64 product that has left the
/// range of its dtype stays infinite, or 0, on a CPU; on a GPU it may return. The gradients of a
/// line in which products are infinite may be NaN.
tensor cumprod(const tensor& x, optional_axis axis = {}, caller where = caller::current());
/// The sums and products of the elements after they were converted to a dtype, which the result has
/// too. Throw for complex numbers as real ones.
tensor cumsum(const tensor& x, given_dtype element, optional_axis axis = {},
              caller where = caller::current());
tensor cumprod(const tensor& x, given_dtype element, optional_axis axis = {},
               caller where = caller::current());
/// The greatest so far; NaN from the first NaN on. The gradient goes to the last of equal ones.
tensor cummax(const tensor& x, optional_axis axis = {}, caller where = caller::current());
/// The smallest so far, likewise.
tensor cummin(const tensor& x, optional_axis axis = {}, caller where = caller::current());
/// log(cumsum(exp(x))) without overflow. Of bool and integers: float64. The gradient of real
/// numbers is 0 at -infinity. Imaginary parts may differ from others' by multiples of 2 pi.
tensor logcumsumexp(const tensor& x, optional_axis axis = {}, caller where = caller::current());

/// Their records, in the order of `cumulative_op`.
std::span<const operation> cumulative_operations() noexcept;

}  // namespace troupe
