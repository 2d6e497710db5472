// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <span>

#include "troupe/tensor/tensor.hpp"

/// Products of vectors and along chosen axes. Dtypes are promoted; of bool a product is and, a sum
/// is or. All of these throw for sizes that differ where they are joined, and for more axes or
/// elements than are possible.

namespace troupe {

/// The product of each element of one and each of the other, as a matrix. Takes all elements of
/// both, in row-major order.
tensor outer(const tensor& x, const tensor& y, caller where = caller::current());
/// The sums of products along the last axes, for all pairs of the others; a scalar multiplies.
tensor inner(const tensor& x, const tensor& y, caller where = caller::current());
/// The sums of products along an axis that both have; the other axes broadcast.
tensor vecdot(const tensor& x, const tensor& y, int axis = -1, caller where = caller::current());
/// The sums of products along so many axes: the last ones of `x` and the first ones of `y`.
tensor tensordot(const tensor& x, const tensor& y, int count = 2, caller where = caller::current());
/// The sums of products along pairs of axes: of_x[i] and of_y[i] are joined.
tensor tensordot(const tensor& x, const tensor& y, std::span<const int> of_x,
                 std::span<const int> of_y, caller where = caller::current());
inline tensor tensordot(const tensor& x, const tensor& y, std::initializer_list<int> of_x,
                        std::initializer_list<int> of_y, caller where = caller::current()) {
  return tensordot(x, y, std::span(of_x.begin(), of_x.size()), std::span(of_y.begin(), of_y.size()),
                   where);
}
/// Kronecker's product: in place of each element of `x` all of `y`, multiplied by it. The shorter
/// shape is filled up with ones in front.
tensor kron(const tensor& x, const tensor& y, caller where = caller::current());
/// The vector product along an axis of size 3; the other axes broadcast. Throws for bool.
tensor cross(const tensor& x, const tensor& y, int axis = -1, caller where = caller::current());

}  // namespace troupe
