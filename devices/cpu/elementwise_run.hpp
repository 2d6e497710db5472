// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/cpu/simd/loops.hpp"
#include "troupe/devices/kernel.hpp"

namespace troupe::cpu_kernels {

/// The number of chunks of an elementwise kernel's work.
std::int64_t elementwise_chunks(const kernel_args& args);

/// Runs chunks [first, last) of an elementwise operation with up to three inputs: feeds `loop`
/// contiguous runs of the types it takes, whatever the inputs' strides and dtypes are. It takes
/// inputs of `compute`, its first one as bool if `bool_first`, and gives results of `made`, which
/// are converted to the output's dtype.
void run_elementwise(const kernel_args& args, std::int64_t first, std::int64_t last,
                     elementwise_loop loop, dtype compute, dtype made, bool bool_first);

}  // namespace troupe::cpu_kernels
