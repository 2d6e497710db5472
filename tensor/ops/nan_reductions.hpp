// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "troupe/tensor/tensor.hpp"

/// Reductions of the elements that are not NaN. Axes and dtypes are those of the reductions without
/// nan, and so is what they throw.

namespace troupe {

/// The sum, 0 for none.
tensor nansum(const tensor& x, const axes& over = {}, flag keep = false,
              caller where = caller::current());
/// The product, 1 for none.
tensor nanprod(const tensor& x, const axes& over = {}, flag keep = false,
               caller where = caller::current());
/// The mean, NaN for none.
tensor nanmean(const tensor& x, const axes& over = {}, flag keep = false,
               caller where = caller::current());
/// The greatest, NaN if all are NaN.
tensor nanmax(const tensor& x, const axes& over = {}, flag keep = false,
              caller where = caller::current());
/// The smallest, NaN if all are NaN.
tensor nanmin(const tensor& x, const axes& over = {}, flag keep = false,
              caller where = caller::current());
/// The variance, divided by their number less `ddof`; NaN if that is not positive.
tensor nanvar(const tensor& x, const axes& over = {}, detail::ddof_or_keep ddof = 0,
              flag keep = false, caller where = caller::current());
/// The standard deviation, sqrt(nanvar(x)). NumPy's nanstd.
tensor nanstddev(const tensor& x, const axes& over = {}, detail::ddof_or_keep ddof = 0,
                 flag keep = false, caller where = caller::current());
/// The position of the greatest, the first of several: along an axis, or in row-major order; -1 if
/// all are NaN.
tensor nanargmax(const tensor& x, optional_axis axis = {}, flag keep = false,
                 caller where = caller::current());
/// The same of the smallest.
tensor nanargmin(const tensor& x, optional_axis axis = {}, flag keep = false,
                 caller where = caller::current());
/// The sums of the elements up to each one, as `cumsum`; NaN counts as 0.
tensor nancumsum(const tensor& x, optional_axis axis = {}, caller where = caller::current());
/// The products, as `cumprod`; NaN counts as 1.
tensor nancumprod(const tensor& x, optional_axis axis = {}, caller where = caller::current());

}  // namespace troupe
