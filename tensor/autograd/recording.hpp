// SPDX-License-Identifier: MIT
#pragma once

#include <source_location>
#include <string_view>

namespace troupe {

/// An operation of a recording through which no gradient flows, though one of its inputs was
/// recorded.
struct dead_end {
  std::string_view name = {};
  std::source_location call_site = {};
};

/// While it lives, what its thread computes from tensors with `attach_grad` is recorded, so that
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

  /// Whether this thread records.
  static bool active() noexcept { return on_; }

  /// The last one of this thread's latest recording, for messages; its name is empty if there was
  /// none.
  static const dead_end& last_dead_end() noexcept { return dead_end_; }
  static void note(const dead_end& one) noexcept { dead_end_ = one; }

 protected:
  explicit recording(bool on) noexcept : before_(on_) {
    if (on && !before_) dead_end_ = {};
    on_ = on;
  }

 private:
  static inline thread_local constinit dead_end dead_end_ = {};
  static inline thread_local constinit bool on_ = false;
  bool before_;
};

/// While it lives, its thread does not record.
class no_grad : recording {
 public:
  no_grad() noexcept : recording(false) {}
};

/// While it lives, what its thread submits counts as called from one line of the user's: that of
/// the operation whose gradient it is.
class on_behalf_of {
 public:
  explicit on_behalf_of(const std::source_location& line) noexcept : before_(line_) {
    line_ = &line;
  }
  on_behalf_of(const on_behalf_of&) = delete;
  on_behalf_of& operator=(const on_behalf_of&) = delete;
  ~on_behalf_of() { line_ = before_; }

  /// Null for nobody in particular.
  static const std::source_location* line() noexcept { return line_; }

 private:
  static inline thread_local constinit const std::source_location* line_ = nullptr;
  const std::source_location* before_;
};

}  // namespace troupe
