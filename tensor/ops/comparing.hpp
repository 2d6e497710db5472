// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tensor/flag.hpp"
#include "troupe/tensor/tensor.hpp"

/// Comparisons of whole tensors, and of numbers that rounding has changed. They give bool and never
/// wait: what they give is true once it is computed. They throw for inputs on different devices.

namespace troupe {

/// bool: whether |x - y| <= atol + rtol * |y| for each pair of elements; infinite ones are close to
/// themselves, NaN to nothing, or to NaN if `equal_nan`. Computed in the dtype to which those of
/// the inputs are promoted, if that is no float in float64. Throws unless the shapes broadcast.
tensor isclose(const tensor& x, const tensor& y, double rtol = 1e-5, double atol = 1e-8,
               flag equal_nan = false, caller where = caller::current());
/// bool: whether all of them are close.
tensor allclose(const tensor& x, const tensor& y, double rtol = 1e-5, double atol = 1e-8,
                flag equal_nan = false, caller where = caller::current());
/// bool: whether the two have the same shape and equal elements. NaN equals nothing, or NaN if
/// `equal_nan`.
tensor array_equal(const tensor& x, const tensor& y, flag equal_nan = false,
                   caller where = caller::current());

}  // namespace troupe
