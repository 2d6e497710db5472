// SPDX-License-Identifier: MIT
#include "troupe/devices/layout/tiling.hpp"

#include <cstring>

#include "troupe/devices/element_bits.hpp"

namespace troupe {

namespace {

template <class Vector>
Vector load(const void* from) noexcept {
  Vector x;
  std::memcpy(&x, from, sizeof x);
  return x;
}

template <class Vector>
void store(void* to, Vector x) noexcept {
  std::memcpy(to, &x, sizeof x);
}

void transpose_square(std::uint32_t* out, std::int64_t out_stride, const std::uint32_t* in,
                      std::int64_t in_stride) noexcept {
  using four = std::uint32_t __attribute__((vector_size(16)));
  const auto a = load<four>(in), b = load<four>(in + in_stride);
  const auto c = load<four>(in + 2 * in_stride), d = load<four>(in + 3 * in_stride);
  const auto ab = __builtin_shufflevector(a, b, 0, 4, 1, 5),
             cd = __builtin_shufflevector(c, d, 0, 4, 1, 5);
  const auto ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7),
             cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  store(out, __builtin_shufflevector(ab, cd, 0, 1, 4, 5));
  store(out + out_stride, __builtin_shufflevector(ab, cd, 2, 3, 6, 7));
  store(out + 2 * out_stride, __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5));
  store(out + 3 * out_stride, __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7));
}

void transpose_square(std::uint64_t* out, std::int64_t out_stride, const std::uint64_t* in,
                      std::int64_t in_stride) noexcept {
  using two = std::uint64_t __attribute__((vector_size(16)));
  for (int i = 0; i < 4; i += 2) {
    for (int j = 0; j < 4; j += 2) {
      const auto a = load<two>(in + i + j * in_stride), b = load<two>(in + i + (j + 1) * in_stride);
      store(out + i * out_stride + j, __builtin_shufflevector(a, b, 0, 2));
      store(out + (i + 1) * out_stride + j, __builtin_shufflevector(a, b, 1, 3));
    }
  }
}

/// Elements of other sizes.
template <class T>
void transpose_square(T* out, std::int64_t out_stride, const T* in,
                      std::int64_t in_stride) noexcept {
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) out[i * out_stride + j] = in[i + j * in_stride];
  }
}

/// Goes through a tile of its own, so that rows of the input are read and rows of the output
/// written as a whole: with strides that are a power of two, lines half done would push each other
/// out of the cache.
template <class T>
void transpose_typed(T* out, std::int64_t out_stride, const T* in, std::int64_t in_stride,
                     std::int64_t height, std::int64_t width) noexcept {
  constexpr std::int64_t pitch = transpose_tile + 16 / static_cast<std::int64_t>(sizeof(T));
  alignas(64) T tile[transpose_tile * pitch];
  const std::int64_t even_height = height / 4 * 4;
  const std::int64_t even_width = width / 4 * 4;
  for (std::int64_t j = 0; j < even_width; j += 4) {
    for (std::int64_t i = 0; i < even_height; i += 4)
      transpose_square(tile + i * pitch + j, pitch, in + i + j * in_stride, in_stride);
  }
  for (std::int64_t j = even_width; j < width; ++j) {
    for (std::int64_t i = 0; i < even_height; ++i) tile[i * pitch + j] = in[i + j * in_stride];
  }
  for (std::int64_t i = 0; i < even_height; ++i)
    std::memcpy(out + i * out_stride, tile + i * pitch,
                static_cast<std::size_t>(width) * sizeof(T));
  for (std::int64_t i = even_height; i < height; ++i) {
    for (std::int64_t j = 0; j < width; ++j) out[i * out_stride + j] = in[i + j * in_stride];
  }
}

}  // namespace

void transpose(void* out, std::int64_t out_stride, const void* in, std::int64_t in_stride,
               std::size_t element_size, std::int64_t height, std::int64_t width) noexcept {
  visit_bits(element_size, [&]<class T>(T) {
    transpose_typed(static_cast<T*>(out), out_stride, static_cast<const T*>(in), in_stride, height,
                    width);
  });
}

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
