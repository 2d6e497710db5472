// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/reduction_plan.hpp"

#include <algorithm>

#include "troupe/devices/cpu/simd/reduction_loops.hpp"

namespace troupe::cpu_kernels {

namespace {

constexpr std::int64_t chunk_size = 65536;
constexpr std::int64_t shortest_part = 1024;
constexpr std::int64_t fewest_rows = 256;
constexpr std::int64_t whole_vectors = 16;
constexpr std::int64_t often_lanes = 16;  // a multiple of most numbers of lanes

std::int64_t pieces(std::int64_t length, std::int64_t of) { return (length + of - 1) / of; }

/// So many chunks, or a few more, that lanes get equally many of them.
std::int64_t evenly(std::int64_t chunks) {
  return chunks < often_lanes ? chunks : pieces(chunks, often_lanes) * often_lanes;
}

}  // namespace

bool reduction_plan::is_single(const array& x) noexcept { return x.size() <= chunk_size; }

reduction_plan::reduction_plan(const kernel_args& args) {
  const array& x = args.inputs[0];
  const std::uint32_t axes = axes_of(args);
  kept = merge_axes({&x, 1}, ~axes);
  reduced = merge_axes({&x, 1}, axes);
  results = kept.size();
  elements = reduced.size();

  const bool neighbours =
      reduced.strides[0][reduced.rank - 1] == 1 && reduced.inner() >= shortest_run;
  by_rows = results > 1 && !neighbours;
  row = !by_rows ? 1 : kept.inner() >= shortest_run ? kept.inner() : results;
  stretch = pieces(row, pieces(row, reduction_loops::longest_row));
  stretch = std::min(row, pieces(stretch, whole_vectors) * whole_vectors);
  tiles = results / row * pieces(row, stretch);

  const std::int64_t worth = 2 * chunk_size;
  const std::int64_t unit = by_rows ? fewest_rows : shortest_part;
  const std::int64_t work = std::max<std::int64_t>(1, elements) * stretch;
  part = std::max<std::int64_t>(1, elements);
  splits = 1;
  tiles_per_chunk = tiles;
  if (is_single(x)) return;
  if (work > worth) {
    const auto parts = evenly(pieces(elements, std::max<std::int64_t>(1, worth / stretch)));
    part = pieces(pieces(elements, parts), unit) * unit;
    splits = pieces(elements, part);
  }
  tiles_per_chunk = pieces(tiles, evenly(pieces(tiles, std::max<std::int64_t>(1, worth / work))));
}

}  // namespace troupe::cpu_kernels
