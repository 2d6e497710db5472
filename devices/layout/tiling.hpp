// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "troupe/devices/layout/loop_nest.hpp"

namespace troupe {

/// The longest side of what `transpose` takes.
inline constexpr std::int64_t transpose_tile = 64;

/// Sets out[i * out_stride + j] to in[i + j * in_stride] for i < height and j < width, both at most
/// `transpose_tile`.
void transpose(void* out, std::int64_t out_stride, const void* in, std::int64_t in_stride,
               std::size_t element_size, std::int64_t height, std::int64_t width) noexcept;

/// A walk in square tiles over the last axis and one other axis of a layout, for operands whose
/// neighbouring elements lie along the other axis: so each line of memory is used as a whole. Tiles
/// go in blocks of four by four, which keeps to fewer pages at a time. A chunk is some such blocks.
class tiling {
 public:
  /// The elements [start[axis], ...) of every axis: `rows` along the tall one, `columns` along the
  /// last one, a single one along the others.
  struct tile {
    std::int64_t start[max_rank];
    std::int64_t rows, columns;

    std::int64_t offset(const loop_nest& axes, const std::int64_t* strides) const noexcept {
      std::int64_t sum = 0;
      for (int axis = 0; axis < axes.rank; ++axis) sum += start[axis] * strides[axis];
      return sum;
    }
  };

  /// Prepares a walk over at least one element.
  tiling(const loop_nest& axes, int tall) noexcept;

  /// Returns the axis to walk along with the last one for operand `k`; -1 where there is no need.
  static int tall_axis(const loop_nest& axes, int k) noexcept;

  int tall() const noexcept { return tall_; }
  /// Returns the strides of a row-major result.
  const std::int64_t* out_strides() const noexcept { return out_strides_; }
  std::int64_t chunks() const noexcept {
    return (blocks_ + blocks_per_chunk_ - 1) / blocks_per_chunk_;
  }

  /// Calls f(tile) for every tile of the chunks [first, last).
  template <class F>
  void for_each_tile(std::int64_t first, std::int64_t last, F f) const {
    const std::int64_t end = std::min(blocks_, last * blocks_per_chunk_);
    for (std::int64_t block = first * blocks_per_chunk_; block < end; ++block) {
      const tile corner = block_at(block);
      for (std::int64_t i = 0; i < corner.rows; i += transpose_tile) {
        for (std::int64_t j = 0; j < corner.columns; j += transpose_tile) {
          tile t = corner;
          t.start[tall_] += i;
          t.start[axes_.rank - 1] += j;
          t.rows = std::min(transpose_tile, corner.rows - i);
          t.columns = std::min(transpose_tile, corner.columns - j);
          f(t);
        }
      }
    }
  }

 private:
  tile block_at(std::int64_t block) const noexcept;

  const loop_nest& axes_;
  int tall_;
  std::int64_t out_strides_[max_rank];
  std::int64_t block_rows_, block_columns_;
  std::int64_t high_, wide_;  // blocks along the two axes
  std::int64_t blocks_;
  std::int64_t blocks_per_chunk_;
};

}  // namespace troupe
