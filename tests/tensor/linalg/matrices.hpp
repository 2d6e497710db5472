// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/indexing.hpp"
#include "troupe/tensor/ops/matmul.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/random.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tests/near.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

using list = std::vector<double>;

/// Returns random matrices far from singular ones.
inline tensor regular_matrices(const shape& dims, dtype element) {
  const auto rows = dims[dims.rank() - 2], columns = dims[dims.rank() - 1];
  return normal(dims, element) + eye(rows, columns, 0, {.dtype = element}) * 3. *
                                     (1. + static_cast<double>(std::max(rows, columns)) / 8.);
}

/// Returns true if the numbers are equal up to what float32 can tell, or a billionth of the
/// greatest for float64.
inline bool near_all(const tensor& x, const list& wanted) {
  const auto found = numbers(x);
  if (found.size() != wanted.size()) return false;
  double scale = 1;
  for (const auto one : wanted) {
    if (std::isfinite(one)) scale = std::max(scale, std::abs(one));
  }
  const double most = x.dtype() == float64 ? 1e-9 : 2e-4;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (near(found[i], wanted[i], most, scale)) continue;
    UNSCOPED_INFO("element " << i << ": " << found[i] << " and " << wanted[i] << " of " << scale);
    return false;
  }
  return true;
}

inline bool near_all(const tensor& x, const tensor& wanted) {
  return x.shape() == wanted.shape() && near_all(x, numbers(wanted));
}

inline tensor turned(const tensor& x) { return x.swapaxes(-1, -2); }

/// Returns true if the columns are orthonormal.
inline bool orthonormal(const tensor& q) {
  const auto product = matmul(turned(q), q);
  return near_all(product,
                  copy(broadcast_to(eye(q.shape()[q.rank() - 1], q.dtype()), product.shape())));
}

/// Returns the text of a value's failure.
inline std::string failure_of(const tensor& x) {
  try {
    x.wait();
  } catch (const error& e) { return e.what(); }
  return "nothing failed";
}

}  // namespace troupe::testing
