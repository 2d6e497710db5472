// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/cpu/simd/loops.hpp"

namespace troupe::cpu_kernels {

inline constexpr int reduction_op_count = static_cast<int>(reduction_op::logsumexp) + 1;

union number {
  double real;
  std::int64_t integer;
  std::uint64_t natural;
};

/// Partial results that lie side by side, each of as many of the elements that make one result.
/// Sums of floats are kept in float64.
struct partials {
  number* value;  ///< the sum, product, maximum or mean so far: real of floats,
                  ///< natural of uint64, else integer
  number* more;   ///< variance: the sum of squared deviations, logsumexp: the sum of exponentials,
                  ///< argmax and argmin: where the extreme is; else unused
  std::int64_t count;  ///< number of elements in each; whoever adds some counts them

  [[gnu::always_inline]] partials from(std::int64_t i) const noexcept {
    return {value + i, more + i, count};
  }
};

/// Sums of a run that comes in blocks.
struct run_totals {
  alignas(64) std::byte bytes[512];
};

/// The steps of one reduction for one dtype. Elements must be added in the order of their indices.
struct reduction_loops {
  /// The longest run and the most rows that may be added at once.
  static constexpr std::int64_t longest_run = 4096;
  static constexpr std::int64_t longest_row = 2048;
  static constexpr std::int64_t most_rows = 256;

  void (*start)(partials p, std::int64_t n);
  /// Adds the n neighbouring elements at x, the first of which has this index, to one partial
  /// result.
  void (*add_run)(partials p, const void* x, std::int64_t n, std::int64_t index);
  /// Adds rows of `width` elements, `step` elements apart, to `width` partial results; row i has
  /// index `index` + i.
  void (*add_rows)(partials p, const void* x, std::int64_t step, std::int64_t rows,
                   std::int64_t width, std::int64_t index);
  /// Adds what was learnt of later elements.
  void (*merge)(partials p, partials later, std::int64_t n);
  /// Writes n results.
  void (*write)(void* out, partials p, std::int64_t n, int ddof);
  /// Of runs that lie in place as they are, this many elements may be added at once.
  std::int64_t longest_in_place = longest_run;
  // The same as `add_run` for a longer run that comes in blocks: of longest_run elements, fewer
  // only in the last. Up to 64 bytes before one may be read. Null where each may be a run of its
  // own.
  void (*start_blocks)(run_totals& to) = nullptr;
  void (*add_block)(run_totals& to, const void* x, std::int64_t n) = nullptr;
  void (*end_blocks)(partials p, const run_totals& from) = nullptr;
};

/// By operation and the dtype that it computes in; all null where another table has it.
struct reduction_table {
  reduction_loops loops[reduction_op_count][dtype_count];
};

TROUPE_DECLARE_TABLE(reduction_table, fold_loops)       // what adds element to element
TROUPE_DECLARE_TABLE(reduction_table, statistic_loops)  // variance and logsumexp
TROUPE_DECLARE_TABLE(reduction_table, arg_loops)        // argmax and argmin

}  // namespace troupe::cpu_kernels
