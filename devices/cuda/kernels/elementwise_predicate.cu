// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/kernels/elementwise_rows.hpp"

namespace troupe::cuda {

namespace {

constexpr bool is_predicate(const elementwise_info& row) noexcept {
  return row.arity < 3 && row.domain == elementwise_domain::predicate;
}

}  // namespace

constexpr elementwise_table predicate_kernels = make_table<is_predicate>();

}  // namespace troupe::cuda
