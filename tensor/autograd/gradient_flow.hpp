// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tasks/gradient_node.hpp"
#include "troupe/tensor/tensor.hpp"

namespace troupe {

/// Where a gradient node passes gradients on to, while a backward pass runs.
class gradient_flow {
 public:
  gradient_flow(const gradient_flow&) = delete;
  gradient_flow& operator=(const gradient_flow&) = delete;

  /// Whether anybody asked for what a gradient of this leads to.
  virtual bool wants(const gradient_node_ref& to) = 0;
  /// A gradient, or one more share of it.
  virtual void add(const gradient_node_ref& to, tensor share) = 0;
  /// Whether gradients are for those that collect them.
  virtual bool collects() const noexcept = 0;
  /// Who asked for gradients.
  virtual caller where() const noexcept = 0;
  /// Whether what was kept for the backward pass is still needed after it.
  virtual bool keeps() const noexcept = 0;

 protected:
  gradient_flow() = default;
  ~gradient_flow() = default;
};

}  // namespace troupe
