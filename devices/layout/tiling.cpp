// SPDX-License-Identifier: MIT
#include "troupe/devices/layout/tiling.hpp"

namespace troupe {

namespace {

constexpr std::int64_t chunk_size = 32768;
constexpr std::int64_t tiles_in_block = 16;

std::int64_t pieces(std::int64_t length, std::int64_t of) noexcept {
  return (length + of - 1) / of;
}

}  // namespace

int tiling::tall_axis(const loop_nest& axes, int k) noexcept {
  const std::int64_t inner = axes.strides[k][axes.rank - 1];
  if (inner == 0 || inner == 1) return -1;
  for (int axis = axes.rank - 2; axis >= 0; --axis) {
    if (axes.strides[k][axis] == 1) return axis;
  }
  return -1;
}

tiling::tiling(const loop_nest& axes, int tall) noexcept : axes_(axes), tall_(tall) {
  std::int64_t size = 1;
  for (int axis = axes.rank - 1; axis >= 0; --axis) {
    out_strides_[axis] = size;
    size *= axes.shape[axis];
  }
  const std::int64_t height = axes.shape[tall], width = axes.inner();
  const std::int64_t tiles_high = std::min<std::int64_t>(4, pieces(height, transpose_tile));
  block_rows_ = std::min(height, tiles_high * transpose_tile);
  block_columns_ = std::min(width, tiles_in_block / tiles_high * transpose_tile);
  high_ = pieces(height, block_rows_);
  wide_ = pieces(width, block_columns_);
  blocks_ = size / (height * width) * high_ * wide_;
  blocks_per_chunk_ = std::max<std::int64_t>(1, chunk_size / (block_rows_ * block_columns_));
}

tiling::tile tiling::block_at(std::int64_t block) const noexcept {
  tile t;
  const int last = axes_.rank - 1;
  t.start[last] = block % wide_ * block_columns_;
  t.start[tall_] = block / wide_ % high_ * block_rows_;
  t.columns = std::min(block_columns_, axes_.shape[last] - t.start[last]);
  t.rows = std::min(block_rows_, axes_.shape[tall_] - t.start[tall_]);
  std::int64_t rest = block / (wide_ * high_);
  for (int axis = last - 1; axis >= 0; --axis) {
    if (axis == tall_) continue;
    t.start[axis] = rest % axes_.shape[axis];
    rest /= axes_.shape[axis];
  }
  return t;
}

}  // namespace troupe
