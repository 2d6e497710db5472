// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "troupe/devices/kernel.hpp"

namespace troupe::cpu_kernels {

/// The chunks of a batched matrix product: big matrices into a grid of blocks of the output, small
/// ones several to a chunk; or the stretches of the sums, where little but b is read: then each
/// thread reads its own rows of b, and the sums of all are added in the end. They follow from
/// shapes, layouts and the CPU alone.
class matmul_plan {
 public:
  /// Products with fewer multiplications than this cost more to hand over to BLAS than to do.
  static constexpr std::int64_t smallest_for_blas = 1000;

  std::int64_t m, n, k;
  std::int64_t batch;
  bool tiled = false;  ///< computed by our own tiles, which read any matrix as it lies

  /// Throws std::length_error for sizes that BLAS cannot count.
  explicit matmul_plan(const kernel_args& args);

  std::int64_t chunks() const noexcept;

  /// Room for copies of blocks that BLAS cannot read as they lie, or for the sums of a stretch.
  std::size_t scratch_per_chunk() const noexcept { return scratch_; }

  /// Returns true if chunks are stretches of the sums, whose results are to be added.
  bool by_stretches() const noexcept { return deep_ > 1; }

  /// The matrices, rows and columns of the output that a chunk makes, and of which terms.
  struct block {
    std::int64_t first_matrix, last_matrix;
    std::int64_t row, rows;
    std::int64_t column, columns;
    std::int64_t term, terms;
  };
  block part(std::int64_t chunk) const noexcept;
  /// The part of a chunk and of those that follow, up to `last`, if together they are one block,
  /// too. Moves `chunk` behind them.
  block next_part(std::int64_t& chunk, std::int64_t last) const noexcept;
  written_rows written(std::int64_t chunk) const noexcept;

  /// The start of matrix number `matrix` of a batched operand, in elements.
  static std::int64_t batch_offset(const array& x, std::int64_t matrix) noexcept;

 private:
  void share_small(const array& b, std::int64_t work) noexcept;

  std::int64_t matrices_ = 1;  // per chunk
  std::int64_t high_ = 1;      // blocks one above the other
  std::int64_t wide_ = 1;      // blocks side by side
  std::int64_t deep_ = 1;      // blocks of terms
  dtype type_;
  std::size_t scratch_ = 0;
};

}  // namespace troupe::cpu_kernels
