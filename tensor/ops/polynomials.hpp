// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tensor/tensor.hpp"

/// Polynomials, whose coefficients are a vector, that of the highest power first, as NumPy's are.

namespace troupe {

/// coefficients[0] x^(n - 1) + ... + coefficients[n - 1] at each element of `x`, by Horner's rule;
/// 0 without coefficients. Dtypes are promoted, gradients flow. Throws unless the coefficients are
/// a vector.
tensor polyval(const tensor& coefficients, const tensor& x, caller where = caller::current());

/// The coefficients of the polynomial of a degree that is nearest to points, in the sum of squares:
/// for `x` [n] and `y` [n] [degree + 1], for `y` [n, k] a column for each of its own. Where the
/// points do not tell, the shortest. Computed in float64, by `linalg::lstsq`. Throws for other
/// shapes, no points and a negative degree.
tensor polyfit(const tensor& x, const tensor& y, std::int64_t degree,
               caller where = caller::current());

}  // namespace troupe
