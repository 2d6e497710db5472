// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace troupe::bench {

/// Fills n floats with numbers of [0, 1) that look random.
void fill(float* x, std::size_t n, cudaStream_t on);
/// The same for the upper halves of floats.
void fill_bfloat16(std::uint16_t* x, std::size_t n, cudaStream_t on);

/// y = x + 1 for n floats of at most one block, n up to 1024.
void add_one(float* y, const float* x, int n, cudaStream_t on);

}  // namespace troupe::bench
