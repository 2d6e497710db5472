// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#ifdef __CUDACC__
#define TROUPE_PLAN __host__ __device__
#else
#define TROUPE_PLAN
#endif

namespace troupe::cuda {

/// Division of the folding of `rows` rows of `length` elements among the threads of a GPU. A block
/// of threads takes some rows, with some threads for each row, which take its elements in turns. If
/// rows are few and long, several blocks share each.
struct fold_plan {
  std::int64_t rows = 0, length = 0;
  std::int64_t parts = 1;  ///< blocks that share a row
  int row_threads = 1;     ///< rows of a block
  int part_threads = 1;    ///< threads that share a row in a block; a power of two
  /// True if neighbouring threads take neighbouring elements of a row, false for neighbouring rows.
  bool along_rows = true;

  TROUPE_PLAN int threads() const { return row_threads * part_threads; }
  TROUPE_PLAN std::int64_t blocks() const { return (rows + row_threads - 1) / row_threads; }
  /// Returns the row of a thread in its block; `part_of` returns its number among the threads of
  /// that row.
  TROUPE_PLAN int row_of(int thread) const {
    return along_rows ? thread / part_threads : thread % row_threads;
  }
  TROUPE_PLAN int part_of(int thread) const {
    return along_rows ? thread % part_threads : thread / row_threads;
  }
};

/// Returns the plan for rows whose elements are contiguous (`along_rows`), or interleaved with
/// those of other rows.
fold_plan plan_fold(std::int64_t rows, std::int64_t length, bool along_rows) noexcept;
/// Returns such a plan with one block for each row.
fold_plan plan_whole_rows(std::int64_t rows, std::int64_t length, bool along_rows) noexcept;

}  // namespace troupe::cuda

#undef TROUPE_PLAN
