// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>

namespace troupe {

/// Forks between the start of the program, or that of the library, and this process: what a process
/// has of threads and connections, its children have not.
class forks {
 public:
  static std::uint32_t count() noexcept { return count_.load(std::memory_order_relaxed); }

 private:
  static constinit std::atomic<std::uint32_t> count_;
  static const int followed_;
};

}  // namespace troupe
