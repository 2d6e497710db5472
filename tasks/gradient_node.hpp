// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "troupe/tasks/reference.hpp"

namespace troupe {

class tensor;
class gradient_flow;

/// How a tensor came about, as far as its gradient goes: what passes the gradient on to the tensors
/// that it was computed from. Tensors without one are constants to autograd.
class gradient_node : public counted<gradient_node> {
 public:
  gradient_node() noexcept : order_(next_order_.fetch_add(1, std::memory_order_relaxed)) {}
  virtual ~gradient_node() = default;

  /// Later ones have higher numbers: a gradient node's sources come before it.
  std::uint64_t order() const noexcept { return order_; }

  /// Whom it passes gradients on to; fewer than 2^16.
  virtual std::size_t source_count() const noexcept = 0;
  virtual const reference<gradient_node>& source(std::size_t i) const noexcept = 0;
  /// Whether gradients may also come to tensors that its sources do not know of.
  virtual bool leads_anywhere() const noexcept { return false; }
  /// Passes on the gradient of the tensor.
  virtual void pass_on(const tensor& arriving, gradient_flow& flow) = 0;

 private:
  static inline constinit std::atomic<std::uint64_t> next_order_ = 0;
  const std::uint64_t order_;
};

using gradient_node_ref = reference<gradient_node>;

}  // namespace troupe
