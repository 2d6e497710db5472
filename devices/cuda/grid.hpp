// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "troupe/devices/cuda/fold_plan.hpp"
#include "troupe/devices/driver.hpp"

/// Grids: kernels are function objects that compute one position of a grid. Three functions run
/// them on a stream of a GPU:
///
///     for_each(on, n, f)                 f(i) for every i < n
///     run_fold(on, plan, f, left)        folds the elements of each row with f
///     fold_and_map(on, plan, f)          folds likewise, then maps each element of the row
///
/// A function object is copied to the GPU: it holds numbers and addresses of the GPU's memory. Its
/// members are marked TROUPE_BOTH. The sources are C++ as well as CUDA: without a CUDA compiler,
/// the same three functions run the grid on the host, in the same order, as in tests.
///
/// A fold takes
///
///     struct f {
///       using state = ...;  // summary of some elements; trivially copyable
///       state start() const;  // summary of no elements
///       void take(state&, std::int64_t row, std::int64_t i) const;  // adds element i of a row
///       void merge(state&, const state&) const;  // adds the second summary to the first
///       void put(std::int64_t row, const state&) const;  // writes the result of a row
///     };
///
/// fold_and_map keeps elements between folding and mapping. In place of `take` and `put` it calls
///
///       using item = ...;  // element
///       item read(std::int64_t row, std::int64_t i) const;
///       void take(state&, const item&) const;
///       void map(std::int64_t row, std::int64_t i, const item&, const state&) const;
///
/// The grouping of elements depends on the plan alone, so the bits of the result are the same every
/// time.

#ifdef __CUDACC__
#define TROUPE_BOTH __host__ __device__
#else
#define TROUPE_BOTH
#endif

namespace troupe::cuda {

template <class F>
void for_each(stream& on, std::int64_t n, const F& f);

/// Folds rows. If `left` is null, each row is put. Otherwise the states of the plan's parts of each
/// row are stored in `left`, side by side, to be merged by another fold.
template <class F>
void run_fold(stream& on, const fold_plan& plan, const F& f, typename F::state* left);

/// Returns the bytes needed for `left`.
template <class F>
std::size_t fold_scratch(const fold_plan& plan) noexcept {
  return plan.parts > 1
             ? static_cast<std::size_t>(plan.rows * plan.parts) * sizeof(typename F::state)
             : 0;
}

/// Folds and maps rows. The plan has whole rows.
template <class F>
void fold_and_map(stream& on, const fold_plan& plan, const F& f);

}  // namespace troupe::cuda

#ifdef __CUDACC__
#include "troupe/devices/cuda/grid_on_gpu.hpp"
#else
#include "troupe/devices/cuda/grid_on_host.hpp"
#endif
