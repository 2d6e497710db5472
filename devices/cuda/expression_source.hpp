// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "troupe/devices/element_expression.hpp"

namespace troupe::cuda {

/// Kernels of an expression's source. Parameters: the number of elements and the length of a row,
/// both 64-bit integers; for each input its address, the distance between rows, that between
/// elements, and how its rows repeat (`row_repeats`); the addresses of the outputs; the numbers, in
/// their own types.
namespace entry {
/// All inputs are contiguous or uniform; addresses are multiples of four elements, at most 16
/// bytes.
inline constexpr const char* packs = "packs";
/// The elements of each row are contiguous or the same; rows have a multiple of four elements and
/// begin at such addresses. Fewer than 2^31 elements.
inline constexpr const char* row_packs = "row_packs";
/// Fewer than 2^31 elements.
inline constexpr const char* rows = "rows";
inline constexpr const char* long_rows = "long_rows";
}  // namespace entry

inline constexpr int threads_of_block = 128;
inline constexpr int elements_of_pack = 4, packs_of_thread = 2;

/// Returns CUDA source with these kernels, for grids of any number of blocks. Products and sums
/// must be compiled without contraction. Empty for an expression with something that GPUs compute
/// differently from kernels compiled ahead.
std::string source_of(const element_expression& e);

}  // namespace troupe::cuda
