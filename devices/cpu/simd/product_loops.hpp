// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/cpu/simd/loops.hpp"

namespace troupe::cpu_kernels {

/// A vector times a matrix: out[j] = sum of a[i * a_step] * b[i * b_row + j * b_column] over i < k,
/// for j < n. Integers wrap; bool is the or of ands.
using product_loop = void (*)(void* out, const void* a, std::int64_t a_step, const void* b,
                              std::int64_t b_row, std::int64_t b_column, std::int64_t k,
                              std::int64_t n);

struct product_loops {
  product_loop loops[dtype_count];
};

TROUPE_DECLARE_TABLE(product_loops, vector_matrix_loops)

/// Adds element j * bias_step of the bias to element (i, j) of a block of a matrix, which is number
/// i * out_step + j, and has it be 0 where that is negative if relu is asked for.
using bias_loop = void (*)(void* out, std::int64_t out_step, const void* bias,
                           std::int64_t bias_step, std::int64_t rows, std::int64_t columns);

/// For each floating dtype; null for the others.
struct bias_table_of_loops {
  bias_loop loops[2][dtype_count];
};

TROUPE_DECLARE_TABLE(bias_table_of_loops, bias_loops)

}  // namespace troupe::cpu_kernels
