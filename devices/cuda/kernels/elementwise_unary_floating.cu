// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/kernels/elementwise_rows.hpp"

namespace troupe::cuda {

namespace {

constexpr bool is_unary_floating(const elementwise_info& row) noexcept {
  return row.arity == 1 && row.domain == elementwise_domain::floating;
}

}  // namespace

constexpr elementwise_table unary_floating_kernels = make_table<is_unary_floating>();

}  // namespace troupe::cuda
