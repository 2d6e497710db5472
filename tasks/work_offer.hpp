// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <utility>

#include "troupe/devices/driver.hpp"
#include "troupe/tasks/shared_run.hpp"
#include "troupe/tasks/turn.hpp"

namespace troupe {

/// A run that a thread has begun, on offer to others that look for work on its device. One at a
/// time: whoever comes second computes alone. Thread-safe.
class work_offer {
 public:
  work_offer() noexcept = default;
  work_offer(const work_offer&) = delete;
  work_offer& operator=(const work_offer&) = delete;

  /// Offers a run to so many threads. Returns false if another one is on offer.
  bool put(shared_run& run, const driver& on, int places) noexcept {
    const turn mine(taken_);
    if (run_) return false;
    run_ = reference<shared_run>(&run);
    on_.store(&on, std::memory_order_relaxed);
    offered_ = places;
    places_.store(places, std::memory_order_relaxed);
    return true;
  }

  /// Takes it back: nobody else joins it. Returns true if somebody has.
  bool take_back() noexcept {
    reference<shared_run> run;
    const turn mine(taken_);
    run = std::exchange(run_, nullptr);
    return places_.exchange(0, std::memory_order_relaxed) != offered_;
  }

  /// Returns true if there is a place for one more thread of a device.
  bool open(const driver& on) const noexcept {
    return places_.load(std::memory_order_relaxed) > 0 &&
           on_.load(std::memory_order_relaxed) == &on;
  }

  struct place {
    reference<shared_run> run;  ///< null if there is none
    int number = 0;             ///< from 1
  };
  /// Takes a place beside the thread that has begun.
  place join(const driver& on) noexcept {
    const turn mine(taken_);
    if (!run_ || !open(on)) return {};
    const int left = places_.fetch_sub(1, std::memory_order_relaxed);
    return {run_, offered_ - left + 1};
  }

 private:
  std::atomic<bool> taken_ = false;
  reference<shared_run> run_;
  int offered_ = 0;
  alignas(64) std::atomic<int> places_ = 0;
  std::atomic<const driver*> on_ = nullptr;
};

}  // namespace troupe
