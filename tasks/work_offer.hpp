// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>

#include "troupe/devices/driver.hpp"
#include "troupe/tasks/shared_run.hpp"
#include "troupe/tasks/spin.hpp"

namespace troupe {

/// A run that a thread has begun, on offer to others that look for work on its device. One at a
/// time: whoever comes second computes alone. Thread-safe, and on one cache line, as cores far from
/// each other look at it all the time.
class alignas(64) work_offer {
 public:
  work_offer() noexcept = default;
  work_offer(const work_offer&) = delete;
  work_offer& operator=(const work_offer&) = delete;

  /// Offers a run to so many threads, at most 255. Returns false if another one is on offer.
  bool put(shared_run& run, const driver& on, int places) noexcept {
    std::uint32_t free = 0;
    if (!state_.compare_exchange_strong(free, taken_, std::memory_order_acquire)) return false;
    run_ = &run;
    on_.store(&on, std::memory_order_relaxed);
    state_.store(taken_ + static_cast<std::uint32_t>(places), std::memory_order_release);
    return true;
  }

  /// Takes it back: nobody else joins it, and waits until those who have leave. Returns true if
  /// somebody had joined.
  bool take_back() noexcept {
    state_.fetch_and(~places_, std::memory_order_relaxed);
    std::uint32_t last = 0;
    spin::until([&] {
      last = state_.load(std::memory_order_acquire);
      return (last & inside_) == 0;
    });
    state_.store(0, std::memory_order_release);
    return (last & joined_) != 0;
  }

  /// Returns true if there is a place for one more thread of a device.
  bool open(const driver& on) const noexcept {
    return (state_.load(std::memory_order_acquire) & places_) != 0 &&
           on_.load(std::memory_order_relaxed) == &on;
  }

  /// Takes a place beside the thread that has begun, and sets its number, from 1. Returns the run,
  /// which stays until the caller leaves, or null if there is no place.
  shared_run* join(const driver& on, int& number) noexcept {
    auto seen = state_.load(std::memory_order_acquire);
    do {
      if ((seen & places_) == 0 || on_.load(std::memory_order_relaxed) != &on) return nullptr;
    } while (!state_.compare_exchange_weak(seen, ((seen - 1) | joined_) + one_inside_,
                                           std::memory_order_acquire));
    number = static_cast<int>(seen & places_);
    if (on_.load(std::memory_order_relaxed) == &on) return run_;
    leave();  // another one was put there meanwhile
    return nullptr;
  }
  /// The last that who has joined does with the run.
  void leave() noexcept { state_.fetch_sub(one_inside_, std::memory_order_release); }

 private:
  // The state: places that are left, threads that have joined and not left, whether any has joined,
  // and whether there is an offer.
  static constexpr std::uint32_t places_ = 0xff, inside_ = 0xff00, one_inside_ = 0x100,
                                 joined_ = 0x1'0000, taken_ = 0x2'0000;

  std::atomic<std::uint32_t> state_ = 0;
  shared_run* run_ = nullptr;
  std::atomic<const driver*> on_ = nullptr;
};

}  // namespace troupe
