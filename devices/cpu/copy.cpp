// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/cpu_kernels.hpp"

#include <algorithm>

#include "troupe/devices/layout/copy_bytes.hpp"
#include "troupe/devices/layout/loop_nest.hpp"
#include "troupe/devices/layout/tiling.hpp"

namespace troupe::cpu_kernels {

namespace {

constexpr std::int64_t chunk_size = 32768;

/// True for an input to copy in tiles, as its neighbouring elements lie along another axis than the
/// last one.
bool tiled(const loop_nest& axes, std::int64_t size) noexcept {
  return size > chunk_size && tiling::tall_axis(axes, 0) >= 0;
}

void copy_tiles(const kernel_args& args, const loop_nest& axes, std::int64_t first,
                std::int64_t last) {
  const std::size_t size = size_of(args.inputs[0].type);
  const auto step = static_cast<std::int64_t>(size);
  const std::int64_t* const strides = axes.strides[0];
  const tiling tiles(axes, tiling::tall_axis(axes, 0));
  tiles.for_each_tile(first, last, [&](const tiling::tile& t) {
    transpose(args.outputs[0].as<char>() + t.offset(axes, tiles.out_strides()) * step,
              tiles.out_strides()[tiles.tall()],
              args.inputs[0].as<char>() + t.offset(axes, strides) * step, strides[axes.rank - 1],
              size, t.rows, t.columns);
  });
}

void run(const kernel_args& args, std::int64_t first, std::int64_t last) {
  const array& in = args.inputs[0];
  const std::int64_t n = args.outputs[0].size();
  const std::int64_t begin = first * chunk_size, end = std::min(n, last * chunk_size);
  const std::size_t size = size_of(in.type);
  char* const to = args.outputs[0].as<char>() + begin * static_cast<std::int64_t>(size);
  if (in.contiguous()) {
    if (begin < end)
      copy_bytes(to, in.as<char>() + begin * static_cast<std::int64_t>(size),
                 static_cast<std::size_t>(end - begin) * size);
    return;
  }
  const loop_nest axes = merge_axes(args.inputs);
  if (tiled(axes, n)) copy_tiles(args, axes, first, last);
  else if (begin < end) gather(to, in.data, size, axes, 0, begin, end - begin);
}

std::int64_t chunks(const kernel_args& args) {
  const std::int64_t n = args.outputs[0].size();
  if (n > chunk_size && !args.inputs[0].contiguous()) {
    const loop_nest axes = merge_axes(args.inputs);
    if (tiled(axes, n)) return tiling(axes, tiling::tall_axis(axes, 0)).chunks();
  }
  return (n + chunk_size - 1) / chunk_size;
}

constexpr kernel copy_any{.run = run, .chunks = chunks};

}  // namespace

const kernel* copy_kernel(dtype) noexcept { return &copy_any; }

}  // namespace troupe::cpu_kernels
