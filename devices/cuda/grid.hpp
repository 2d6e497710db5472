// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "troupe/devices/cuda/fold_plan.hpp"
#include "troupe/devices/driver.hpp"

/// How kernels are written here: as function objects that say what happens at one place of a grid.
/// Three functions run them on a stream of a GPU:
///
///     for_each(on, n, f)                 f(i) for every i < n
///     run_fold(on, plan, f, left)        what f makes of the elements of each row
///     fold_and_map(on, plan, f)          the same, and then each element of the row again
///
/// A function object is copied to the GPU: it holds numbers and addresses of the GPU's memory. Its
/// members are marked TROUPE_BOTH. The sources are C++ as well as CUDA: where no CUDA compiler
/// reads them, the same three functions run the grid on the host, in the same order, as tests do.
///
/// What a fold takes is
///
///     struct f {
///       using state = ...;  // what is known of some elements; trivially copyable
///       state start() const;                                    // of none
///       void take(state&, std::int64_t row, std::int64_t i) const;  // of element i of a row, too
///       void merge(state&, const state&) const;                 // of both
///       void put(std::int64_t row, const state&) const;         // of all: writes the result
///       void map(std::int64_t row, std::int64_t i, const state&) const;
///     };
///
/// where fold_and_map calls `map` for each element instead of `put`.
///
/// Which elements are taken together follows from the plan alone, so the same bits come out every
/// time.

#ifdef __CUDACC__
#define TROUPE_BOTH __host__ __device__
#else
#define TROUPE_BOTH
#endif

namespace troupe::cuda {

template <class F>
void for_each(stream& on, std::int64_t n, const F& f);

/// With a null `left`, each row is put. Else the states of the plan's parts of each row are left
/// there, side by side, to be merged by another fold.
template <class F>
void run_fold(stream& on, const fold_plan& plan, const F& f, typename F::state* left);

/// Bytes of what is left.
template <class F>
std::size_t fold_scratch(const fold_plan& plan) noexcept {
  return plan.parts > 1
             ? static_cast<std::size_t>(plan.rows * plan.parts) * sizeof(typename F::state)
             : 0;
}

/// The plan has whole rows.
template <class F>
void fold_and_map(stream& on, const fold_plan& plan, const F& f);

}  // namespace troupe::cuda

#ifdef __CUDACC__
#include "troupe/devices/cuda/grid_on_gpu.hpp"
#else
#include "troupe/devices/cuda/grid_on_host.hpp"
#endif
