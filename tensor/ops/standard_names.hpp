// SPDX-License-Identifier: MIT
#pragma once

#include <limits>
#include <numbers>
#include <optional>
#include <span>
#include <vector>

#include "troupe/tensor/linalg/products.hpp"
#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/cumulative.hpp"
#include "troupe/tensor/ops/elementwise.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/sets.hpp"

/// The names of the Python array API standard, 2025.12, for functions that have NumPy's older names
/// here. `std` is `stddev`, since C++ has taken that name; `ndim` is `rank()`.

namespace troupe {

inline tensor acos(const tensor& x, caller where = caller::current()) { return arccos(x, where); }
inline tensor acosh(const tensor& x, caller where = caller::current()) { return arccosh(x, where); }
inline tensor asin(const tensor& x, caller where = caller::current()) { return arcsin(x, where); }
inline tensor asinh(const tensor& x, caller where = caller::current()) { return arcsinh(x, where); }
inline tensor atan(const tensor& x, caller where = caller::current()) { return arctan(x, where); }
inline tensor atanh(const tensor& x, caller where = caller::current()) { return arctanh(x, where); }
inline tensor atan2(const tensor& x, const tensor& y, caller where = caller::current()) {
  return arctan2(x, y, where);
}
inline tensor atan2(const tensor& x, scalar y, caller where = caller::current()) {
  return arctan2(x, y, where);
}
inline tensor atan2(scalar x, const tensor& y, caller where = caller::current()) {
  return arctan2(x, y, where);
}
inline tensor pow(const tensor& x, const tensor& y, caller where = caller::current()) {
  return power(x, y, where);
}
inline tensor pow(const tensor& x, scalar y, caller where = caller::current()) {
  return power(x, y, where);
}
inline tensor pow(scalar x, const tensor& y, caller where = caller::current()) {
  return power(x, y, where);
}
inline tensor bitwise_invert(const tensor& x, caller where = caller::current()) {
  return bitwise_not(x, where);
}
/// Returns the tensor itself, or its elements as another dtype or on another device.
inline tensor asarray(const tensor& x, const tensor_options& options = {},
                      caller where = caller::current()) {
  const auto converted = astype(x, options.dtype.value_or(x.dtype(where)), where);
  return options.device ? to(converted, *options.device, where) : converted;
}
inline tensor concat(const std::vector<tensor>& parts, int axis = 0,
                     caller where = caller::current()) {
  return concatenate(parts, axis, where);
}
inline tensor permute_dims(const tensor& x, std::span<const int> order,
                           caller where = caller::current()) {
  return transpose(x, order, where);
}
inline tensor permute_dims(const tensor& x, std::initializer_list<int> order,
                           caller where = caller::current()) {
  return transpose(x, order, where);
}
inline tensor to_device(const tensor& x, device place, caller where = caller::current()) {
  return to(x, place, where);
}
inline tensor unique_values(const tensor& x, caller where = caller::current()) {
  return unique(x, where);
}

/// Returns the shape that all of some shapes broadcast to. Throws if there is none.
shape broadcast_shapes(std::span<const shape> some, caller where = caller::current());
inline shape broadcast_shapes(std::initializer_list<shape> some, caller where = caller::current()) {
  return broadcast_shapes(std::span(some.begin(), some.size()), where);
}

struct cumulative_options {
  std::optional<dtype> element = {};  ///< in which it is computed; absent: that of `cumsum`
  bool include_initial = false;       ///< begins with 0, or 1, so that one more element comes out
};

/// The sums, or products, of the elements up to each one along an axis, which may be left out for a
/// vector alone. Throw for an axis that is not there, and as `cumsum` and `cumprod` do.
tensor cumulative_sum(const tensor& x, optional_axis axis = {},
                      const cumulative_options& options = {}, caller where = caller::current());
tensor cumulative_prod(const tensor& x, optional_axis axis = {},
                       const cumulative_options& options = {}, caller where = caller::current());

/// The constants of the standard, beside `newaxis`.
namespace constants {

inline constexpr double e = std::numbers::e;
inline constexpr double pi = std::numbers::pi;
inline constexpr double inf = std::numeric_limits<double>::infinity();
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

}  // namespace constants

}  // namespace troupe
