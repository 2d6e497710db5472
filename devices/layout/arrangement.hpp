// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "troupe/devices/array.hpp"

namespace troupe {

/// The way an operand's elements lie.
enum class arrangement { contiguous, constant, strided };

inline arrangement arrangement_of(const array& x) noexcept {
  bool contiguous = true, constant = true;
  std::int64_t expected = 1;
  for (int axis = x.rank - 1; axis >= 0; --axis) {
    if (x.shape[axis] == 1) continue;
    contiguous = contiguous && x.strides[axis] == expected;
    constant = constant && x.strides[axis] == 0;
    expected *= x.shape[axis];
  }
  return contiguous ? arrangement::contiguous
         : constant ? arrangement::constant
                    : arrangement::strided;
}

}  // namespace troupe
