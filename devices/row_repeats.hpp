// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace troupe {

/// Rows of an operand that elementwise steps read again: each of them so many times in a row, and
/// all of them from the first one on after so many.
struct row_repeats {
  std::int64_t each = 1;
  std::int64_t period = 0;  ///< 0: they do not begin anew

  /// Returns the operand's row beside a row of the steps.
  std::int64_t row(std::int64_t of_steps) const noexcept {
    const auto own = of_steps / each;
    return period > 0 ? own % period : own;
  }
  bool none() const noexcept { return each == 1 && period == 0; }
  bool operator==(const row_repeats&) const noexcept = default;
};

}  // namespace troupe
