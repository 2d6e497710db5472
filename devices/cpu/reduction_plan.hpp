// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/kernel.hpp"
#include "troupe/devices/layout/loop_nest.hpp"

namespace troupe::cpu_kernels {

/// The axes that a reduction removes, a bit each.
inline std::uint32_t axes_of(const kernel_args& args) noexcept {
  return static_cast<const reduction_attributes*>(args.attributes)->axes;
}

/// The chunks of a reduction and the walk through them. Where the reduced elements lie next to each
/// other it goes by runs: a chunk reduces some results' elements, or a part of one result's. Else
/// it goes by rows: a chunk is a stretch of neighbouring results and adds up rows of them. Where a
/// result's elements are divided over several chunks (splits), each leaves a partial result, and
/// these are merged in the end. All this follows from the input's layout alone.
struct reduction_plan {
  loop_nest kept;     ///< the axes of the results
  loop_nest reduced;  ///< the axes of the elements that make one result
  std::int64_t results;
  std::int64_t elements;  ///< elements that make one result

  bool by_rows;
  std::int64_t row;      ///< by rows: as many results as lie side by side, an axis or all of them
  std::int64_t stretch;  ///< results in a tile: what a chunk makes side by side
  std::int64_t tiles;
  std::int64_t tiles_per_chunk;
  std::int64_t splits;
  std::int64_t part;  ///< elements of one result in a split

  /// The fewest neighbours that are reduced as a run.
  static constexpr std::int64_t shortest_run = 16;

  explicit reduction_plan(const kernel_args& args);

  /// True when the reduction of `x` is small enough for one chunk, without partial results.
  static bool is_single(const array& x) noexcept;

  std::int64_t chunks() const noexcept {
    return splits > 1 ? tiles * splits : (tiles + tiles_per_chunk - 1) / tiles_per_chunk;
  }
};

}  // namespace troupe::cpu_kernels
