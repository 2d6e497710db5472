// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/kernels/elementwise_rows.hpp"

namespace troupe::cuda {

namespace {

constexpr bool is_binary_floating(const elementwise_info& row) noexcept {
  return row.arity == 2 &&
         (row.domain == elementwise_domain::floating || row.domain == elementwise_domain::numeric);
}

}  // namespace

constexpr elementwise_table binary_floating_kernels = make_table<is_binary_floating>();

}  // namespace troupe::cuda
