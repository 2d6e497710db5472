// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/kernels/elementwise_rows.hpp"

namespace troupe::cuda {

namespace {

constexpr bool is_ternary(const elementwise_info& row) noexcept { return row.arity == 3; }

}  // namespace

constexpr elementwise_table ternary_kernels = make_table<is_ternary>();

}  // namespace troupe::cuda
