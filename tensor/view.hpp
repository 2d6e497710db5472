// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tensor/layout.hpp"
#include "troupe/tensor/node_pool.hpp"
#include "troupe/tensor/reference.hpp"

namespace troupe {

/// A layout that tensors and tasks share. Most tensors are all of their value and need none.
struct shared_view final : counted<shared_view>, pooled<shared_view> {
  explicit shared_view(const layout& l) noexcept : where(l) {}
  const layout where;
};

using view_ref = reference<const shared_view>;

}  // namespace troupe
