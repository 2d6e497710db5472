// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/sort_key.hpp"

namespace troupe {

/// Elements in the order of `sort`, to search in.
template <class T>
struct sorted_vector {
  const T* elements;
  std::int64_t size, step;
  bool right;  ///< a value's place is behind equal elements

  /// Returns the number of elements before the place where a value would be inserted.
  constexpr std::int64_t place_of(T value) const noexcept {
    const sort_key<T> order;
    const auto wanted = order.rank(value);
    std::int64_t begin = 0, end = size;
    while (begin < end) {
      const auto middle = begin + (end - begin) / 2;
      const auto key = order.rank(elements[middle * step]);
      if (key < wanted || (right && key == wanted)) begin = middle + 1;
      else end = middle;
    }
    return begin;
  }
};

}  // namespace troupe
