// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "troupe/apps/bench/timing.hpp"
#include "troupe/troupe.hpp"

/// Work on square matrices of float32 that one device does beside another.

namespace troupe::bench {

using tensors = std::vector<tensor>;

/// Returns `count` matrices of n x n random numbers on a device, ready.
inline tensors matrices(runtime& rt, int count, std::int64_t n, device place) {
  tensors all;
  for (int i = 0; i < count; ++i)
    all.push_back(uniform({n, n}, 0, 1, {.dtype = float32, .device = place}));
  rt.wait_all();
  return all;
}

inline tensors squares(const tensors& matrices) {
  tensors all;
  for (const auto& x : matrices) all.push_back(matmul(x, x));
  return all;
}

inline tensors copies(const tensors& matrices, device place) {
  tensors all;
  for (const auto& x : matrices) all.push_back(x.to(place));
  return all;
}

/// Returns the seconds until everything that `f` starts is done. The result of `f` lives until
/// then.
template <class F>
double seconds_until_done(runtime& rt, F&& f) {
  return seconds_of([&] {
    const auto results = f();
    rt.wait_all();
  });
}

}  // namespace troupe::bench
