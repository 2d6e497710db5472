// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/tensor/ops/products.hpp"
#include "troupe/tensor/tensor.hpp"

/// Products and powers of matrices. systems.hpp says what all functions have in common.

namespace troupe::linalg {

using troupe::cross;
using troupe::matmul;
using troupe::outer;
using troupe::tensordot;
using troupe::vecdot;

/// The product of square matrices with themselves, so many times; of dtypes as `matmul`. The
/// identity for 0, the inverse's powers for negative ones.
tensor matrix_power(const tensor& x, std::int64_t times, caller where = caller::current());

/// The exponential of square matrices, by scaling and squaring: N. J. Higham (2005). NaN where one
/// has numbers that are not finite.
tensor expm(const tensor& x, caller where = caller::current());

/// The product of two matrices or more in the order that needs the least work. The first and the
/// last may be vectors. Throws where `matmul` of neighbours does, and for fewer than two.
tensor multi_dot(const std::vector<tensor>& some, caller where = caller::current());

/// A view of a diagonal of the last two axes, as the last axis; `troupe::diagonal` takes others.
tensor diagonal(const tensor& x, std::int64_t offset = 0, caller where = caller::current());
/// The sum of that diagonal.
tensor trace(const tensor& x, std::int64_t offset = 0, caller where = caller::current());
/// A view with the last two axes exchanged.
tensor matrix_transpose(const tensor& x, caller where = caller::current());

}  // namespace troupe::linalg
