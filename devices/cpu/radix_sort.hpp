// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "troupe/devices/cpu/sort_entries.hpp"

/// Radix sort from the last digit to the first, of one row by one thread.

namespace troupe::cpu_kernels {

/// Shorter rows are compared.
inline constexpr std::int64_t shortest_radix(int digits) noexcept { return 24 * digits; }
/// Rows of so many keys at most are counted: each goes where as many as are less lie before it.
inline constexpr std::int64_t longest_counted = 48;

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

/// Sorts `n` keys, each compared with all others, eight at a time.
template <class Key>
void sort_counted(const Key* x, Key* to, std::int64_t n) noexcept {
  Key places[longest_counted] = {};
  for (std::int64_t i = 1; i < n; ++i) {
    const Key one = x[i];
    Key before = 0;
    for (std::int64_t j = 0; j < i; ++j) {
      const Key later = x[j] > one;
      places[j] = static_cast<Key>(places[j] + later);
      before = static_cast<Key>(before + 1 - later);
    }
    places[i] = before;
  }
  for (std::int64_t i = 0; i < n; ++i) to[places[i]] = x[i];
}

/// Sorts `n` entries, at most as many as an int32 counts, and returns where they are: in `x` or in
/// `other`.
template <class Sort>
typename Sort::entry* sort_entries(typename Sort::entry* x, typename Sort::entry* other,
                                   std::int64_t n) noexcept {
  using entry = typename Sort::entry;
  if constexpr (std::is_integral_v<entry> && sizeof(entry) <= sizeof(std::uint32_t)) {
    if (n <= longest_counted) {
      sort_counted(x, other, n);
      return other;
    }
  }
  if (n < shortest_radix(Sort::digits)) {
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
