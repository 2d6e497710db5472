// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/kernels/elementwise_rows.hpp"

namespace troupe::cuda {

namespace {

constexpr bool is_unary(const elementwise_info& row) noexcept {
  return row.arity == 1 && row.domain != elementwise_domain::floating &&
         row.domain != elementwise_domain::predicate;
}

}  // namespace

constexpr elementwise_table unary_kernels = make_table<is_unary>();

}  // namespace troupe::cuda
