// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "troupe/devices/cpu/sort_entries.hpp"

/// Radix sort from the last digit to the first, of one row by one thread.

namespace troupe::cpu_kernels {

inline constexpr std::int64_t shortest_radix = 512;  // shorter rows are compared

/// Makes the entries of elements [first, last) of a row.
template <class Sort>
void make_entries(const Sort& sort, typename Sort::entry* to, const typename Sort::element* from,
                  std::int64_t step, std::int64_t first, std::int64_t last) noexcept {
  if (step == 1) {
    for (std::int64_t i = first; i < last; ++i) to[i - first] = sort.make(from[i], i);
  } else {
    for (std::int64_t i = first; i < last; ++i) to[i - first] = sort.make(from[i * step], i);
  }
}

/// Sorts `n` entries, at most as many as an int32 counts, and returns where they are: in `x` or in
/// `other`.
template <class Sort>
typename Sort::entry* sort_entries(typename Sort::entry* x, typename Sort::entry* other,
                                   std::int64_t n) noexcept {
  if (n < shortest_radix) {
    std::sort(x, x + n);
    return x;
  }
  std::int32_t counts[Sort::digits][digit_values] = {};
  for (std::int64_t i = 0; i < n; ++i) {
    for (int d = 0; d < Sort::digits; ++d) ++counts[d][Sort::digit(x[i], d)];
  }
  for (int d = 0; d < Sort::digits; ++d) {
    auto& at = counts[d];
    if (at[Sort::digit(x[0], d)] == n) continue;  // all are equal there
    for (std::int32_t sum = 0; auto& one : at) sum += std::exchange(one, sum);
    for (std::int64_t i = 0; i < n; ++i) other[at[Sort::digit(x[i], d)]++] = x[i];
    std::swap(x, other);
  }
  return x;
}

}  // namespace troupe::cpu_kernels
