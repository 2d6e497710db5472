// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#ifdef __CUDACC__
#define TROUPE_PLAN __host__ __device__
#else
#define TROUPE_PLAN
#endif

namespace troupe::cuda {

/// How the threads of a GPU share the folding of `rows` rows of `length` elements. A block of
/// threads has some rows, and for each of them some threads, of which each takes every so-manieth
/// element. Long rows, if there are few, are shared by several blocks, too.
struct fold_plan {
  std::int64_t rows = 0, length = 0;
  std::int64_t parts = 1;  ///< blocks that share a row
  int row_threads = 1;     ///< rows of a block
  int part_threads = 1;    ///< threads that share a row in a block; a power of two
  /// Neighbouring threads have neighbouring elements of a row; else they have neighbouring rows.
  bool along_rows = true;

  TROUPE_PLAN int threads() const { return row_threads * part_threads; }
  TROUPE_PLAN std::int64_t blocks() const { return (rows + row_threads - 1) / row_threads; }
  /// Which row of its block a thread has, and which of those threads that share it, it is.
  TROUPE_PLAN int row_of(int thread) const {
    return along_rows ? thread / part_threads : thread % row_threads;
  }
  TROUPE_PLAN int part_of(int thread) const {
    return along_rows ? thread % part_threads : thread / row_threads;
  }
};

/// The plan for rows whose elements lie side by side (`along_rows`), or beside those of other rows.
fold_plan plan_fold(std::int64_t rows, std::int64_t length, bool along_rows) noexcept;
/// The same with one block for each row.
fold_plan plan_whole_rows(std::int64_t rows, std::int64_t length, bool along_rows) noexcept;

}  // namespace troupe::cuda

#undef TROUPE_PLAN
