// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "troupe/devices/array.hpp"

namespace troupe {

/// A shape split around an axis: its elements are [rows, length, inner], where `length` is the size
/// of the axis.
struct axis_split {
  std::int64_t rows = 1, length, inner = 1;

  axis_split(const array& x, int axis) noexcept : length(x.shape[axis]) {
    for (int i = 0; i < axis; ++i) rows *= x.shape[i];
    for (int i = axis + 1; i < x.rank; ++i) inner *= x.shape[i];
  }

  std::int64_t size() const noexcept { return rows * length * inner; }
};

}  // namespace troupe
