// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <vector>

#include "troupe/tasks/gradient_node.hpp"
#include "troupe/tensor/tensor.hpp"

namespace troupe {

/// Destination of the gradients that nodes pass on during a backward pass.
class gradient_flow {
 public:
  gradient_flow(const gradient_flow&) = delete;
  gradient_flow& operator=(const gradient_flow&) = delete;

  /// Returns true if a gradient that reaches this node is needed.
  virtual bool wants(const gradient_node_ref& to) = 0;
  /// Adds a gradient, or one more share of it.
  virtual void add(const gradient_node_ref& to, const tensor& share) = 0;
  /// The same for what a view of the node's array, of shape `whole`, shows.
  virtual void add_part(const gradient_node_ref& to, const tensor& share, const layout& part,
                        const shape& whole) = 0;
  /// Notes that gradients go on to another device.
  virtual void leaves_device() noexcept = 0;
  /// Returns true if shares for this node may come later: gradients go to other devices, and this
  /// node's on to a leaf.
  virtual bool may_wait(const gradient_node_ref& to) = 0;
  /// Adds shares for nodes that may wait when the next layer's gradients are under way. So the
  /// gradients of the first layer, whose parameters are used first in the next step, travel while
  /// others are computed.
  virtual void add_later(std::vector<gradient_node_ref> to, std::function<void()> shares) = 0;
  /// Returns true if gradients go to the tensors that collect them.
  virtual bool collects() const noexcept = 0;
  /// Returns the call that asked for gradients.
  virtual caller where() const noexcept = 0;
  /// Returns true if what was kept for the backward pass is still needed after it.
  virtual bool keeps() const noexcept = 0;

 protected:
  gradient_flow() = default;
  ~gradient_flow() = default;
};

}  // namespace troupe
