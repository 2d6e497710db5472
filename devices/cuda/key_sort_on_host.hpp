// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

// Sorts of keys on the host; see key_sort.hpp, which includes this.

namespace troupe::cuda {

template <bool WithPlaces, class Key>
std::size_t key_sort_bytes(const key_rows<Key>&) {
  return 0;
}

template <bool WithPlaces, class Key>
void sort_keys(stream& on, const key_rows<Key>& rows, void*) {
  put(on, [rows] {
    const auto cut = static_cast<int>(8 * sizeof(Key)) - rows.bits;
    std::vector<std::int64_t> order(static_cast<std::size_t>(rows.length));
    for (std::int64_t row = 0; row < rows.count; ++row) {
      const auto begin = row * rows.length;
      const Key* const keys = rows.keys + begin;
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
        return static_cast<Key>(keys[a] << cut) < static_cast<Key>(keys[b] << cut);
      });
      for (std::int64_t i = 0; i < rows.length; ++i) {
        const auto from = order[static_cast<std::size_t>(i)];
        rows.sorted[begin + i] = keys[from];
        if constexpr (WithPlaces) rows.sorted_places[begin + i] = rows.places[begin + from];
      }
    }
  });
}

}  // namespace troupe::cuda
