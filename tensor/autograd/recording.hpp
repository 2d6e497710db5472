// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <source_location>
#include <string_view>

#include "troupe/tasks/on_behalf_of.hpp"

namespace troupe {

namespace detail {

/// Operation of a recording that no gradient flows through, though one of its inputs was recorded.
struct dead_end {
  std::string_view name = {};
  std::source_location call_site = {};
};

}  // namespace detail

/// Scope in which the thread's operations on tensors with `attach_grad` are recorded, so that
/// gradients can be computed:
///
///     tensor loss;
///     {
///       recording on;
///       loss = mean(square(matmul(x, w) - y));
///     }
///     loss.backward();
///     w.assign(w - 0.1 * w.grad());
class recording {
 public:
  recording() noexcept : recording(true) {}
  recording(const recording&) = delete;
  recording& operator=(const recording&) = delete;
  ~recording() { on_ = before_; }
  // Scopes end in the reverse order in which they began.
  static void* operator new(std::size_t) = delete;
  static void* operator new[](std::size_t) = delete;

  /// Returns true if this thread records.
  static bool active() noexcept { return on_; }

  /// Returns the last dead end of this thread's latest recording, for messages; its name is empty
  /// if there was none.
  static const detail::dead_end& last_dead_end() noexcept { return dead_end_; }
  static void note(const detail::dead_end& one) noexcept { dead_end_ = one; }

 protected:
  explicit recording(bool on) noexcept : before_(on_) {
    if (on && !before_) dead_end_ = {};
    on_ = on;
  }

 private:
  static inline thread_local constinit detail::dead_end dead_end_ = {};
  static inline thread_local constinit bool on_ = false;
  bool before_;
};

/// Scope in which the thread does not record.
class no_grad : recording {
 public:
  no_grad() noexcept : recording(false) {}
};

}  // namespace troupe
