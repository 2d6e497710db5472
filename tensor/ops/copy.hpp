// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tasks/operation.hpp"
#include "troupe/tensor/tensor.hpp"

namespace troupe {

/// The same elements in an array of their own, in row-major order.
tensor copy(const tensor& x, caller where = caller::current());

/// `x` itself if its elements lie in row-major order without gaps, else a copy.
tensor contiguous(const tensor& x, caller where = caller::current());

extern const operation copy_operation;

/// The elements converted to another dtype: real numbers are truncated for integers, and anything
/// but 0 is true. `x` itself if it has that dtype.
tensor astype(const tensor& x, dtype element, caller where = caller::current());

extern const operation astype_operation;

namespace detail {

/// The elements as they are if they are real or complex numbers, others as float64.
inline tensor inexact(const tensor& x, caller where = caller::current()) {
  return is_inexact(x.dtype()) ? x : astype(x, float64, where);
}

}  // namespace detail

/// The same elements on another device; `x` itself if it is there already. Throws if there is no
/// such device.
tensor to(const tensor& x, device place, caller where = caller::current());

extern const operation transfer_operation;

}  // namespace troupe
