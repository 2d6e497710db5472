// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "troupe/tasks/shape.hpp"

namespace troupe {

/// How a tensor's elements lie in its value's buffer: element (i, j, ...) is number
/// offset + i * strides[0] + j * strides[1] + ...
struct layout {
  std::int64_t offset = 0;
  shape dims;
  std::int64_t strides[max_rank];

  layout() noexcept = default;
  /// Row-major, without gaps.
  explicit layout(const shape& s) noexcept;

  bool contiguous() const noexcept;
  /// The same elements, repeated along axes of size 1 and new leading axes. `to` is known to be
  /// possible.
  layout broadcast(const shape& to) const noexcept;
  /// The same elements in the same order under another shape, if that needs no copy.
  std::optional<layout> reshape(const shape& to) const noexcept;
};

/// The shape that both broadcast to by NumPy's rule, or nothing.
std::optional<shape> broadcast(const shape& a, const shape& b) noexcept;

}  // namespace troupe
