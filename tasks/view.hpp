// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tasks/layout.hpp"
#include "troupe/tasks/node_pool.hpp"
#include "troupe/tasks/reference.hpp"

namespace troupe {

/// Layout shared by tensors and tasks. Most tensors cover all of their value and need none.
struct shared_view final : counted<shared_view>, pooled<shared_view> {
  explicit shared_view(const troupe::layout& l) noexcept : layout(l) {}
  const troupe::layout layout;
};

using view_ref = reference<const shared_view>;

}  // namespace troupe
