// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace troupe {

/// Part i of `count` about equal parts of something.
struct share {
  std::int64_t begin, end;

  share(std::int64_t length, std::int64_t i, std::int64_t count) noexcept
      : begin(length * i / count), end(length * (i + 1) / count) {}
  std::int64_t size() const noexcept { return end - begin; }
};

/// Returns the number of such parts of at most `most`.
constexpr std::int64_t parts(std::int64_t length, std::int64_t most) noexcept {
  return (length + most - 1) / most;
}

}  // namespace troupe
