// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "troupe/devices/dtype.hpp"

namespace troupe {

/// The most axes a tensor may have.
inline constexpr int max_rank = 8;

/// An operand as a kernel sees it: the address of element (0, ..., 0) and how to step from there.
/// Strides count elements; a stride of 0 repeats (broadcasts), a negative one runs backwards.
/// Does not own what it points to.
struct array {
  void* data;
  dtype type;
  int rank;
  const std::int64_t* shape;
  const std::int64_t* strides;

  std::int64_t size() const noexcept {
    std::int64_t n = 1;
    for (int i = 0; i < rank; ++i) n *= shape[i];
    return n;
  }

  /// True when the elements lie one after another in row-major order.
  bool contiguous() const noexcept {
    std::int64_t expected = 1;
    for (int i = rank - 1; i >= 0; --i) {
      if (shape[i] == 1) continue;
      if (strides[i] != expected) return size() == 0;
      expected *= shape[i];
    }
    return true;
  }

  template <class T>
  T* as() const noexcept {
    return static_cast<T*>(data);
  }
};

}  // namespace troupe
