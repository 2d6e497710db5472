// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "troupe/devices/cpu/simd/select.hpp"
#include "troupe/devices/update.hpp"

namespace troupe::cpu_kernels {

/// Updates n neighbouring elements. `in`: the parameter, its states, the gradient; `out`: the new
/// parameter and states, each in memory of its own or exactly in that of an input. `scale` is one
/// number of their type.
using update_loop = void (*)(void* const* out, const void* const* in, std::int64_t n,
                             const update_attributes& given, const void* scale);

/// By rule, for float and double.
struct update_table_of_loops {
  update_loop loops[update_rule_count][2];
};

TROUPE_DECLARE_TABLE(update_table_of_loops, update_loops)

}  // namespace troupe::cpu_kernels
