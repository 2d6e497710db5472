// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>

#include "troupe/tasks/clock.hpp"

namespace troupe {

/// Current task of a lane, readable from any thread. Written by the lane alone.
class alignas(64) lane_status {
 public:
  struct reading {
    std::uint64_t sequence;  ///< number of the task that it began last; 0: none yet
    bool running;            ///< the lane is still computing it
    ticks since;             ///< when it began, or a little earlier
  };

  void begin(std::uint64_t sequence, ticks since) noexcept {
    since_.store(since, std::memory_order_relaxed);
    state_.store(2 * sequence + 1, std::memory_order_relaxed);
  }
  void rest() noexcept {
    state_.store(state_.load(std::memory_order_relaxed) & ~std::uint64_t{1},
                 std::memory_order_relaxed);
  }
  reading read() const noexcept {
    const auto state = state_.load(std::memory_order_relaxed);
    return {state / 2, state % 2 == 1, since_.load(std::memory_order_relaxed)};
  }

 private:
  std::atomic<std::uint64_t> state_ = 0;
  std::atomic<ticks> since_ = 0;
};

}  // namespace troupe
