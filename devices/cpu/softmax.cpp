// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/chunk_size.hpp"
#include "troupe/devices/cpu/cpu_kernels.hpp"

#include <algorithm>

#include "troupe/devices/cpu/simd/softmax_loops.hpp"
#include "troupe/devices/layout/axis_split.hpp"
#include "troupe/devices/layout/loop_nest.hpp"

namespace troupe::cpu_kernels {

namespace {

constexpr std::int64_t least_chunk = 1024, most_chunk = 16384;

/// The work in tiles: a row each where the axis is the innermost one, else a stretch of
/// neighbouring columns.
struct plan {
  std::int64_t length;  ///< of the axis
  std::int64_t inner;   ///< elements between two of a column
  std::int64_t width;   ///< columns in a tile
  std::int64_t across;  ///< tiles side by side
  std::int64_t tiles;
  std::int64_t tiles_per_chunk;

  explicit plan(const kernel_args& args) {
    const array& out = args.outputs[0];
    const int axis = static_cast<const softmax_attributes*>(args.attributes)->axis;
    const std::int64_t size = out.size();
    const axis_split s(out, axis);
    length = s.length;
    inner = s.inner;
    width = std::min(inner, softmax_loops::widest);
    across = size == 0 ? 0 : (inner + width - 1) / width;
    tiles = size == 0 ? 0 : s.rows * across;
    const auto chunk = elements_per_chunk(size, least_chunk, most_chunk);
    tiles_per_chunk = size == 0 ? 1 : std::max<std::int64_t>(1, chunk / (length * width));
  }
};

std::int64_t chunks(const kernel_args& args) {
  const plan p(args);
  return (p.tiles + p.tiles_per_chunk - 1) / p.tiles_per_chunk;
}

template <softmax_op Op, dtype Type>
void run(const kernel_args& args, std::int64_t first, std::int64_t last) {
  const plan p(args);
  const array& in = args.inputs[0];
  const auto& table = TROUPE_SELECT(normalizers);
  const softmax_loops& loops =
      (Op == softmax_op::softmax ? table.softmax : table.log_softmax)[static_cast<int>(Type)];
  constexpr auto size = static_cast<std::int64_t>(size_of(Type));
  const bool contiguous = in.contiguous();
  const loop_nest axes = contiguous ? loop_nest{} : merge_axes(args.inputs);
  const std::int64_t end = std::min(p.tiles, last * p.tiles_per_chunk);
  if (p.inner == 1 && p.length <= softmax_loops::longest_short) {
    const std::int64_t begin = first * p.tiles_per_chunk, n = (end - begin) * p.length;
    if (n <= 0) return;
    char* const out = args.outputs[0].as<char>() + begin * p.length * size;
    if (!contiguous)
      gather(out, in.data, static_cast<std::size_t>(size), axes, 0, begin * p.length, n);
    const auto* const from = contiguous ? in.as<const char>() + begin * p.length * size : out;
    loops.short_rows(out, from, end - begin, p.length);
    return;
  }
  for (std::int64_t tile = first * p.tiles_per_chunk; tile < end; ++tile) {
    const std::int64_t column = tile % p.across * p.width;
    const std::int64_t start = tile / p.across * p.length * p.inner + column;
    const std::int64_t width = std::min(p.width, p.inner - column);
    char* const out = args.outputs[0].as<char>() + start * size;
    const char* from = out;
    if (contiguous) {
      from = in.as<const char>() + start * size;
    } else {
      const std::int64_t runs = p.inner == 1 ? 1 : p.length,
                         length = p.inner == 1 ? p.length : width;
      for (std::int64_t i = 0; i < runs; ++i)
        gather(out + i * p.inner * size, in.data, static_cast<std::size_t>(size), axes, 0,
               start + i * p.inner, length);
    }
    if (p.inner == 1) loops.row(out, from, p.length);
    else loops.columns(out, from, p.inner, p.length, width);
  }
}

template <softmax_op Op, dtype Type>
constexpr kernel kernel_of{.run = run<Op, Type>, .chunks = chunks};

}  // namespace

const kernel* softmax_kernel(softmax_op op, dtype type) noexcept {
  const bool single = type == float32;
  if (!is_floating(type)) return nullptr;
  if (op == softmax_op::softmax)
    return single ? &kernel_of<softmax_op::softmax, float32>
                  : &kernel_of<softmax_op::softmax, float64>;
  return single ? &kernel_of<softmax_op::log_softmax, float32>
                : &kernel_of<softmax_op::log_softmax, float64>;
}

}  // namespace troupe::cpu_kernels
