// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>

namespace troupe {

/// A number for each axis of an image, or one for both: `{3, 1}`, `2`.
struct height_width {
  std::int64_t height = 0;
  std::int64_t width = 0;

  constexpr height_width() noexcept = default;
  constexpr height_width(std::int64_t both) noexcept : height(both), width(both) {}
  constexpr height_width(std::int64_t h, std::int64_t w) noexcept : height(h), width(w) {}
  constexpr bool operator==(const height_width&) const noexcept = default;

  /// Stands for one that is not given.
  static constexpr height_width absent() noexcept {
    return std::numeric_limits<std::int64_t>::min();
  }
};

}  // namespace troupe
