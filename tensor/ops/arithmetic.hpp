// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "troupe/tensor/ops/elementwise.hpp"

/// Arithmetic that is made of the rows of elementwise.def.

namespace troupe {

/// The number as it is: +x. Throws for bool, as NumPy does.
tensor positive(const tensor& x, caller where = caller::current());

/// `clip` with one end only: at least `low`, or at most `high`.
tensor clip(const tensor& x, const tensor_or_scalar& low, std::nullopt_t,
            caller where = caller::current());
tensor clip(const tensor& x, std::nullopt_t, const tensor_or_scalar& high,
            caller where = caller::current());

/// Quotients rounded down, and what they leave.
struct quotient_and_remainder {
  tensor quotient, remainder;
};

/// floor_divide and remainder.
quotient_and_remainder divmod(const tensor& x, const tensor& y, caller where = caller::current());
quotient_and_remainder divmod(const tensor& x, scalar y, caller where = caller::current());
quotient_and_remainder divmod(scalar x, const tensor& y, caller where = caller::current());

/// Rounded to so many decimals; -2 means to hundreds. As in NumPy, floats are multiplied by the
/// power of ten, rounded, and divided by it; integers stay integers.
tensor round(const tensor& x, std::int64_t decimals, caller where = caller::current());

}  // namespace troupe
