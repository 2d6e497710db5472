// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "troupe/tasks/reference.hpp"

namespace troupe {

class tensor;
class gradient_flow;
class tangent_flow;

/// Node of the gradient graph: the origin of a tensor, which passes its gradient on to the tensors
/// that it was computed from, or computes its tangent from theirs. Autograd treats tensors without
/// a node as constants.
class gradient_node : public counted<gradient_node> {
 public:
  gradient_node() noexcept : order_(next_order_.fetch_add(1, std::memory_order_relaxed)) {}
  virtual ~gradient_node() = default;

  /// Returns the creation number: a node's sources have lower numbers.
  std::uint64_t order() const noexcept { return order_; }

  /// Returns the number of nodes that it passes gradients on to; fewer than 2^16.
  virtual std::size_t source_count() const noexcept = 0;
  virtual const reference<gradient_node>& source(std::size_t i) const noexcept = 0;
  /// Returns true if the tensor is a copy of its only source, of another device or dtype.
  virtual bool is_copy() const noexcept { return false; }
  /// Returns true if gradients may also reach tensors that are not among its sources.
  virtual bool leads_anywhere() const noexcept { return false; }
  /// Returns true if the tensor depends on its sources in a way that has no derivative: passes that
  /// reach it throw. Integers have nodes of this kind only.
  virtual bool bars_gradients() const noexcept { return false; }
  /// Passes on the gradient of the tensor.
  virtual void pass_on(const tensor& arriving, gradient_flow& flow) = 0;
  /// Returns the tangent of the whole array, of its shape and dtype, computed from those of its
  /// sources; names no array if it is 0.
  virtual tensor tangent(tangent_flow& flow) = 0;

 private:
  static inline constinit std::atomic<std::uint64_t> next_order_ = 0;
  const std::uint64_t order_;
};

using gradient_node_ref = reference<gradient_node>;

}  // namespace troupe
