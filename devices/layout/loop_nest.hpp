// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "troupe/devices/array.hpp"

namespace troupe {

/// The loops over one to four operands of one shape, with neighbouring axes that can be walked as
/// one merged and axes of length one dropped. The last axis is the innermost. There is always at
/// least one axis.
struct loop_nest {
  static constexpr int max_operands = 4;

  int rank = 1;
  std::int64_t shape[max_rank] = {1};
  std::int64_t strides[max_operands][max_rank] = {};  ///< in elements, by operand

  std::int64_t inner() const noexcept { return shape[rank - 1]; }
  std::int64_t size() const noexcept {
    std::int64_t n = 1;
    for (int axis = 0; axis < rank; ++axis) n *= shape[axis];
    return n;
  }

  /// Returns the place of element number `index` of operand `k`, in elements from its first.
  std::int64_t offset(int k, std::int64_t index) const noexcept {
    std::int64_t sum = 0;
    for (int axis = rank - 1; axis >= 0 && index != 0; --axis) {
      sum += index % shape[axis] * strides[k][axis];
      index /= shape[axis];
    }
    return sum;
  }
};

/// Returns the common layout of `operands`, which have the same shape.
loop_nest merge_axes(std::span<const array> operands) noexcept;
/// Returns that of some of their axes: bit i of `axes` is set for axis i.
loop_nest merge_axes(std::span<const array> operands, std::uint32_t axes) noexcept;

/// Copies the elements number [first, first + n), in row-major order, of operand `k` to `out`.
/// `data` is the address of its element (0, ..., 0).
void gather(void* out, const void* data, std::size_t element_size, const loop_nest& axes, int k,
            std::int64_t first, std::int64_t n) noexcept;

/// Sets `n` elements to `value`.
void repeat(void* out, const void* value, std::size_t element_size, std::int64_t n) noexcept;

}  // namespace troupe
