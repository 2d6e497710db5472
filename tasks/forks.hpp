// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>

namespace troupe {

/// Forks between the process that first followed them and this one: what a process has of threads
/// and connections, its children have not.
class forks {
 public:
  /// Counts the forks from now on. Call it once at least.
  static void follow();
  static std::uint32_t count() noexcept { return count_.load(std::memory_order_relaxed); }

 private:
  static inline constinit std::atomic<std::uint32_t> count_ = 0;
};

}  // namespace troupe
