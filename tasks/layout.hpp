// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "troupe/tasks/node_pool.hpp"
#include "troupe/tasks/reference.hpp"
#include "troupe/tasks/shape.hpp"

namespace troupe {

/// Position of a tensor's elements in its value's buffer: element (i, j, ...) has index offset + i
/// * strides[0] + j * strides[1] + ...
struct layout {
  std::int64_t offset = 0;
  shape dims;
  std::int64_t strides[max_rank];

  layout() noexcept = default;
  /// Constructs a row-major layout without gaps.
  explicit layout(const shape& s) noexcept;

  bool contiguous() const noexcept;
  /// Returns the layout with the same elements repeated along axes of size 1 and along new leading
  /// axes. `to` must be possible.
  layout broadcast(const shape& to) const noexcept;
  /// Returns the layout of the same elements in the same order under another shape, if that needs
  /// no copy.
  std::optional<layout> reshape(const shape& to) const noexcept;
};

/// Returns the shape that both broadcast to by NumPy's rule, or nothing.
std::optional<shape> broadcast(const shape& a, const shape& b) noexcept;

/// Layout shared by tensors and tasks. Most tensors cover all of their value and need none.
struct shared_view final : counted<shared_view>, pooled<shared_view> {
  explicit shared_view(const troupe::layout& l) noexcept : layout(l) {}
  const troupe::layout layout;
};

using view_ref = reference<const shared_view>;

}  // namespace troupe
