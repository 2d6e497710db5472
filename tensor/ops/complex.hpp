// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tensor/ops/elementwise.hpp"

/// Complex numbers beside the rows of elementwise.def: `complex(re, im)`, `real`, `imag`, `conj`
/// and `abs`.

namespace troupe {

/// Returns the angle in [-pi, pi] of each number in the complex plane, in radians: 0 or pi for a
/// real one. float64 of integers and bool.
tensor angle(const tensor& x, caller where = caller::current());

namespace detail {

/// Returns true where kernels sum up and multiply complex numbers as they are; GPUs do so with
/// their parts.
inline bool takes_pairs(const tensor& x) noexcept { return x.device().kind == device_kind::cpu; }

/// Returns what a linear function without complex coefficients makes of a complex tensor.
template <class F>
tensor by_parts(const tensor& x, F&& f, caller where) {
  return complex(f(real(x, where)), f(imag(x, where)), where);
}

/// Returns x / |x|, and 0 for 0.
tensor complex_sign(const tensor& x, caller where);

/// Returns x + w * (y - x), exact for w of 0 and 1, where the value `home` is.
tensor complex_lerp(const tensor_or_scalar& x, const tensor_or_scalar& y, const tensor_or_scalar& w,
                    const value& home, caller where);

/// Returns log(exp(x) + exp(y)) of complex numbers without overflow.
tensor complex_logaddexp(const tensor& x, const tensor& y, caller where);

/// Returns the product along some axes, which are left with size 1.
tensor complex_product(const tensor& x, std::uint32_t axes, caller where);

}  // namespace detail

}  // namespace troupe
