// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "troupe/tasks/operation.hpp"
#include "troupe/tensor/tensor.hpp"

/// Reductions over all axes (`sum(x)`), one (`sum(x, -1)`) or several (`sum(x, {0, 2})`). The
/// reduced axes go away, or stay with size 1: `sum(x, 1, keepdims)`. They throw for axes that `x`
/// does not have.

namespace troupe {

/// The sum, 0 for none. Of bool and integers: int64.
tensor sum(const tensor& x, const axes& over = {}, flag keep = false,
           caller where = caller::current());
/// The product, 1 for none. Of bool and integers: int64.
tensor prod(const tensor& x, const axes& over = {}, flag keep = false,
            caller where = caller::current());
/// The sum and the product of the elements after they were converted to a dtype, which the result
/// has too: `sum(x, float64)`, `sum(x, uint8, 0)`. Throw for complex numbers as real ones.
tensor sum(const tensor& x, given_dtype element, const axes& over = {}, flag keep = false,
           caller where = caller::current());
tensor prod(const tensor& x, given_dtype element, const axes& over = {}, flag keep = false,
            caller where = caller::current());
/// The mean, NaN for none. Of bool and integers: float64.
tensor mean(const tensor& x, const axes& over = {}, flag keep = false,
            caller where = caller::current());
/// The greatest; NaN if one is NaN. Throws for none.
tensor max(const tensor& x, const axes& over = {}, flag keep = false,
           caller where = caller::current());
/// The smallest; NaN if one is NaN. Throws for none.
tensor min(const tensor& x, const axes& over = {}, flag keep = false,
           caller where = caller::current());
/// bool: whether one differs from 0.
tensor any(const tensor& x, const axes& over = {}, flag keep = false,
           caller where = caller::current());
/// bool: whether all differ from 0.
tensor all(const tensor& x, const axes& over = {}, flag keep = false,
           caller where = caller::current());
/// int64: how many differ from 0. NaN does.
tensor count_nonzero(const tensor& x, const axes& over = {}, flag keep = false,
                     caller where = caller::current());
/// int64: where along the axis (or among all elements in row-major order) the first greatest is.
/// Throws for none.
tensor argmax(const tensor& x, optional_axis axis = {}, flag keep = false,
              caller where = caller::current());
/// int64: where the first smallest is. Throws for none.
tensor argmin(const tensor& x, optional_axis axis = {}, flag keep = false,
              caller where = caller::current());
/// The mean of the squared distances from the mean; they are divided by their number less `ddof`.
/// NaN for none. Of bool and integers: float64. `var(x, 1, keepdims)` keeps the axis.
tensor var(const tensor& x, const axes& over = {}, detail::ddof_or_keep ddof = 0, flag keep = false,
           caller where = caller::current());
/// The standard deviation, sqrt(var(x)). NumPy's std.
tensor stddev(const tensor& x, const axes& over = {}, detail::ddof_or_keep ddof = 0,
              flag keep = false, caller where = caller::current());
/// sqrt(sum(x * x)), 0 for none. Of bool and integers: float64.
tensor norm(const tensor& x, const axes& over = {}, flag keep = false,
            caller where = caller::current());
/// sum(x * x), as one task. Of bool and integers: float64.
tensor sum_of_squares(const tensor& x, const axes& over = {}, flag keep = false,
                      caller where = caller::current());
/// log(sum(exp(x))) without overflow, -inf for none.
tensor logsumexp(const tensor& x, const axes& over = {}, flag keep = false,
                 caller where = caller::current());

/// The difference of each element and the one before it along an axis, taken so many times; each
/// time the axis gets one shorter. Of bool: whether the two differ. Throws for negative times.
tensor diff(const tensor& x, std::int64_t times = 1, int axis = -1,
            caller where = caller::current());

namespace detail {

/// The square root of sums of squares. Where they are 0, so is its gradient: the least of those
/// that an edge has.
tensor root_of_squares(const tensor& x, caller where = caller::current());

}  // namespace detail

/// The records of all reductions, in the order of `reduction_op`.
std::span<const operation> reduction_operations() noexcept;

}  // namespace troupe
