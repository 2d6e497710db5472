// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "troupe/devices/cuda/launch.hpp"

// Grids on a GPU; see grid.hpp, which includes this.

namespace troupe::cuda {

template <class F>
__global__ void each_kernel(std::int64_t n, F f) {
  const auto step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (auto i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step)
    f(i);
}

template <class F>
void for_each(stream& on, std::int64_t n, const F& f) {
  if (n == 0) return;
  constexpr std::int64_t threads = 128, most_blocks = 1 << 20;
  const auto blocks = std::min((n + threads - 1) / threads, most_blocks);
  launch(on, static_cast<unsigned>(blocks), threads, 0, each_kernel<F>, n, f);
}

/// Calls g for a thread's share of n elements, four at a time with nothing in between that would
/// separate their reads.
template <class G>
__device__ void each_of_share(std::int64_t i, std::int64_t step, std::int64_t n, const G& g) {
  for (; i + 3 * step < n; i += 4 * step) {
#pragma unroll
    for (int k = 0; k < 4; ++k) g(i + k * step);
  }
#pragma unroll 1
  for (; i < n; i += step) g(i);
}

/// Merges the states of the threads that share a row, in `states`, into the first one's.
template <class F>
__device__ void merge_row(const fold_plan& plan, const F& f, const typename F::state& s,
                          typename F::state* states) {
  const int part = plan.part_of(threadIdx.x), place = plan.row_of(threadIdx.x);
  auto* const mine = states + part * plan.row_threads + place;
  *mine = s;
  for (int width = plan.part_threads / 2; width > 0; width /= 2) {
    __syncthreads();
    if (part < width) f.merge(*mine, mine[width * plan.row_threads]);
  }
  __syncthreads();
}

template <class F>
__global__ void fold_kernel(fold_plan plan, F f, typename F::state* left) {
  extern __shared__ __align__(16) unsigned char room[];
  auto* const states = reinterpret_cast<typename F::state*>(room);
  const int part = plan.part_of(threadIdx.x), place = plan.row_of(threadIdx.x);
  const auto row = static_cast<std::int64_t>(blockIdx.x) * plan.row_threads + place;
  auto s = f.start();
  if (row < plan.rows) {
    const auto first = static_cast<std::int64_t>(blockIdx.y) * plan.part_threads + part;
    each_of_share(first, plan.parts * plan.part_threads, plan.length,
                  [&](std::int64_t i) { f.take(s, row, i); });
  }
  merge_row(plan, f, s, states);
  if (part != 0 || row >= plan.rows) return;
  if (left) left[row * plan.parts + blockIdx.y] = states[place];
  else f.put(row, states[place]);
}

/// Elements that a thread keeps between folding and mapping; further ones are read twice.
constexpr int most_kept = 8;

template <class F>
__global__ void __launch_bounds__(256) fold_and_map_kernel(fold_plan plan, F f) {
  extern __shared__ __align__(16) unsigned char room[];
  auto* const states = reinterpret_cast<typename F::state*>(room);
  const int part = plan.part_of(threadIdx.x), place = plan.row_of(threadIdx.x);
  const auto row = static_cast<std::int64_t>(blockIdx.x) * plan.row_threads + place;
  const std::int64_t step = plan.part_threads, rest = part + most_kept * step;
  const auto length = row < plan.rows ? plan.length : 0;
  typename F::item kept[most_kept];
#pragma unroll
  for (int k = 0; k < most_kept; ++k) {
    if (const auto i = part + k * step; i < length) kept[k] = f.read(row, i);
  }
  auto s = f.start();
#pragma unroll
  for (int k = 0; k < most_kept; ++k) {
    if (part + k * step < length) f.take(s, kept[k]);
  }
  each_of_share(rest, step, length, [&](std::int64_t i) { f.take(s, f.read(row, i)); });
  merge_row(plan, f, s, states);
  s = states[place];
#pragma unroll
  for (int k = 0; k < most_kept; ++k) {
    if (const auto i = part + k * step; i < length) f.map(row, i, kept[k], s);
  }
  each_of_share(rest, step, length, [&](std::int64_t i) { f.map(row, i, f.read(row, i), s); });
}

template <class F>
void run_fold(stream& on, const fold_plan& plan, const F& f, typename F::state* left) {
  const dim3 blocks(static_cast<unsigned>(plan.blocks()), static_cast<unsigned>(plan.parts));
  const auto threads = static_cast<unsigned>(plan.threads());
  launch(on, blocks, threads, threads * sizeof(typename F::state), fold_kernel<F>, plan, f, left);
}

template <class F>
void fold_and_map(stream& on, const fold_plan& plan, const F& f) {
  if (plan.rows == 0) return;
  const auto threads = static_cast<unsigned>(plan.threads());
  launch(on, static_cast<unsigned>(plan.blocks()), threads, threads * sizeof(typename F::state),
         fold_and_map_kernel<F>, plan, f);
}

}  // namespace troupe::cuda
