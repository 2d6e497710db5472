// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>

#include "troupe/tasks/spin.hpp"

namespace troupe {

/// Scope in which the calling thread has what a flag guards, for some nanoseconds mostly: a mutex
/// would take two locked instructions instead of one.
class turn {
 public:
  explicit turn(std::atomic<bool>& taken) noexcept : taken_(taken) {
    if (taken_.exchange(true, std::memory_order_acquire)) [[unlikely]]
      spin::until([this] { return !taken_.exchange(true, std::memory_order_acquire); });
  }
  turn(const turn&) = delete;
  turn& operator=(const turn&) = delete;
  ~turn() { taken_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool>& taken_;
};

}  // namespace troupe
