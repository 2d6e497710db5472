// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "troupe/devices/array.hpp"
#include "troupe/devices/layout/arrangement.hpp"
#include "troupe/devices/layout/loop_nest.hpp"
#include "troupe/devices/layout/tiling.hpp"

namespace troupe::cpu_kernels {

/// An input on its way to an elementwise loop, which takes contiguous elements of one type: copies
/// and converts them where they are not, a block at a time.
class operand_reader {
 public:
  /// The most elements of a block.
  static constexpr std::int64_t block_size = transpose_tile * transpose_tile;

  /// Hands out blocks of at most `longest` elements of x as `type`.
  void start(const array& x, dtype type, std::int64_t longest) noexcept;

  /// The elements [first, first + n) of the whole. Where `whole_row` says that they lie within one
  /// row of `axes`, whose operand number k this is, they may need no copy.
  const void* run(const loop_nest& axes, int k, std::int64_t first, std::int64_t n,
                  bool whole_row) noexcept;

  /// Makes the elements of a tile ready for `row`.
  void load_tile(const loop_nest& axes, int k, const tiling::tile& t, int tall) noexcept;
  /// Row number i of the tile.
  const void* row(std::int64_t i) const noexcept { return tile_ + i * tile_step_; }
  /// True when the tile's rows, of this length, follow one another, so that row 0 is all of it.
  bool packed(std::int64_t columns) const noexcept {
    return tile_step_ == 0 || tile_step_ == columns * static_cast<std::int64_t>(size_of(to_));
  }

 private:
  const void* converted(const void* from, std::int64_t n) noexcept;

  const char* data_;
  dtype from_;
  dtype to_;
  arrangement arrangement_;
  std::int64_t size_;
  const char* tile_;
  std::int64_t tile_step_;
  alignas(64) char values_[block_size * largest_element];
  alignas(64) char converted_[block_size * largest_element];
};

}  // namespace troupe::cpu_kernels
