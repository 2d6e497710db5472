// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <mutex>

#include "troupe/devices/element_expression.hpp"
#include "troupe/devices/recently_used.hpp"
#include "troupe/devices/stream_kernel.hpp"

namespace troupe::cuda {

/// Kernels of expressions, compiled for one kind of GPU; those that were used last are kept, and so
/// is what could not be compiled.
class expression_kernels {
 public:
  explicit expression_kernels(int compute_capability) noexcept
      : compute_capability_(compute_capability) {}

  /// Returns the kernel of an expression. Null if the expression, NVRTC or the driver refuses.
  std::shared_ptr<const stream_kernel> find(const element_expression& e);

 private:
  static constexpr std::size_t most = 256;

  int compute_capability_;
  std::mutex mutex_;
  recently_used<std::shared_ptr<const stream_kernel>> kept_{most};
};

}  // namespace troupe::cuda
