// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/copy.hpp"

#include <algorithm>
#include <cstring>

#include "troupe/devices/cpu/layout.hpp"
#include "troupe/devices/cpu/transpose.hpp"

namespace troupe {

namespace {

constexpr std::int64_t chunk_size = 32768;

/// How the copy goes: along the input where it is contiguous, in square tiles where another axis than the last one is
/// the contiguous one, element by element otherwise.
struct plan {
  layout axes;
  std::int64_t size;
  int contiguous_axis = -1;  ///< the axis to tile together with the last one
  std::int64_t wide = 0;     ///< tiles along the last axis
  std::int64_t high = 0;     ///< tiles along the contiguous axis
  std::int64_t outer = 1;    ///< elements of the other axes
  std::int64_t tiles_per_chunk = 0;

  explicit plan(const kernel_args& args) : axes(merge_axes(args.inputs)), size(args.outputs[0].size()) {
    const int last = axes.rank - 1;
    if (size == 0 || axes.strides[0][last] == 1) return;
    for (int axis = 0; axis < last; ++axis)
      if (axes.strides[0][axis] == 1) contiguous_axis = axis;
    if (contiguous_axis < 0) return;
    const std::int64_t height = axes.shape[contiguous_axis];
    const std::int64_t width = axes.shape[last];
    wide = (width + transpose_tile - 1) / transpose_tile;
    high = (height + transpose_tile - 1) / transpose_tile;
    outer = size / (height * width);
    tiles_per_chunk =
        std::max<std::int64_t>(1, chunk_size / (std::min(height, transpose_tile) * std::min(width, transpose_tile)));
  }

  std::int64_t chunks() const {
    if (contiguous_axis < 0) return (size + chunk_size - 1) / chunk_size;
    return (outer * wide * high + tiles_per_chunk - 1) / tiles_per_chunk;
  }
};

void copy_tiles(const kernel_args& args, const plan& p, std::int64_t first, std::int64_t last) {
  const layout& axes = p.axes;
  const int inner = axes.rank - 1;
  const int tall = p.contiguous_axis;
  const std::int64_t* strides = axes.strides[0];
  const std::size_t size = size_of(args.inputs[0].type);
  std::int64_t out_strides[max_rank];
  for (std::int64_t axis = inner, step = 1; axis >= 0; step *= axes.shape[axis--]) out_strides[axis] = step;
  for (std::int64_t tile = first; tile < last; ++tile) {
    const std::int64_t column = tile % p.wide * transpose_tile;
    const std::int64_t row = tile / p.wide % p.high * transpose_tile;
    std::int64_t from = row + column * strides[inner];
    std::int64_t to = row * out_strides[tall] + column;
    std::int64_t rest = tile / (p.wide * p.high);
    for (int axis = inner - 1; axis >= 0; --axis) {
      if (axis == tall) continue;
      from += rest % axes.shape[axis] * strides[axis];
      to += rest % axes.shape[axis] * out_strides[axis];
      rest /= axes.shape[axis];
    }
    transpose(args.outputs[0].as<char>() + to * static_cast<std::int64_t>(size), out_strides[tall],
              args.inputs[0].as<char>() + from * static_cast<std::int64_t>(size), strides[inner], size,
              std::min(transpose_tile, axes.shape[tall] - row), std::min(transpose_tile, axes.shape[inner] - column));
  }
}

void run(const kernel_args& args, std::int64_t first, std::int64_t last) {
  const array& in = args.inputs[0];
  const array& out = args.outputs[0];
  const std::size_t size = size_of(in.type);
  const bool whole = in.contiguous();
  if (!whole) {
    const plan p(args);
    if (p.contiguous_axis >= 0)
      return copy_tiles(args, p, first * p.tiles_per_chunk,
                        std::min(last * p.tiles_per_chunk, p.outer * p.wide * p.high));
  }
  const std::int64_t begin = first * chunk_size;
  const std::int64_t n = std::min(last * chunk_size, out.size()) - begin;
  if (n <= 0) return;
  char* const to = out.as<char>() + begin * static_cast<std::int64_t>(size);
  if (whole) std::memcpy(to, in.as<char>() + begin * static_cast<std::int64_t>(size), static_cast<std::size_t>(n) * size);
  else gather(to, in.data, size, merge_axes(args.inputs), 0, begin, n);
}

std::int64_t chunks(const kernel_args& args) {
  const std::int64_t n = args.outputs[0].size();
  if (n <= chunk_size || args.inputs[0].contiguous()) return (n + chunk_size - 1) / chunk_size;
  return plan(args).chunks();
}

constexpr cpu_kernel kernel{.run = run, .chunks = chunks};

}  // namespace

const cpu_kernel* copy_kernel(dtype) noexcept { return &kernel; }

}  // namespace troupe
