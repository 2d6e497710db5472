// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tasks/gradient_node.hpp"
#include "troupe/tensor/tensor.hpp"

namespace troupe {

/// Source of the tangents that nodes compute theirs from during a forward pass.
class tangent_flow {
 public:
  tangent_flow(const tangent_flow&) = delete;
  tangent_flow& operator=(const tangent_flow&) = delete;

  /// Returns the tangent of a node's array, of its shape and dtype; names no array if it is 0.
  virtual tensor of(const gradient_node_ref& node) = 0;
  /// Returns true if the pass itself is recorded.
  virtual bool recorded() const noexcept = 0;
  /// Returns the call that asked for tangents.
  virtual caller where() const noexcept = 0;

 protected:
  tangent_flow() = default;
  ~tangent_flow() = default;
};

}  // namespace troupe
