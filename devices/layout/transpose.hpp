// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace troupe {

/// The longest side of what `transpose` takes.
inline constexpr std::int64_t transpose_tile = 64;

/// out[i * out_stride + j] = in[i + j * in_stride] for i < height and j < width, both at most
/// `transpose_tile`.
void transpose(void* out, std::int64_t out_stride, const void* in, std::int64_t in_stride,
               std::size_t element_size, std::int64_t height, std::int64_t width) noexcept;

}  // namespace troupe
