// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "troupe/actors/waiting_scope.hpp"
#include "troupe/tasks/wait_watch.hpp"

namespace troupe {

/// Numbers the tasks of all clients, and bounds how many of them are pending. A client thread that
/// reaches the bound waits until half of them have ended. Thread-safe.
class submission_window {
 public:
  explicit submission_window(std::uint64_t most) : most_(most) {}

  /// Counts one task as pending and numbers it; waits for room first unless `may_wait` is false. A
  /// client that found it full waits until there is room again.
  std::uint64_t enter(bool may_wait, bool found_full = false) {
    if (may_wait && (found_full ? !has_room() : full())) wait_for_room();
    entered_.fetch_add(1);
    return number();
  }

  /// Returns the number of one more task, from 1. A task that only has a number is never pending.
  std::uint64_t number() noexcept { return last_.fetch_add(1) + 1; }

  /// Notes that `count` tasks have ended.
  void leave(std::uint64_t count) {
    left_.fetch_add(count);
    if (waiting_.load() > 0 && has_room()) {
      std::lock_guard lock(mutex_);
      room_.notify_all();
    }
  }

  /// Returns true if a client would have to wait.
  bool full() const noexcept { return pending() >= most_; }
  /// Returns true if clients that wait may go on.
  bool has_room() const noexcept { return pending() <= most_ / 2; }
  /// Returns the last number given.
  std::uint64_t last() const noexcept { return last_.load(); }
  /// Returns the number of tasks that have entered.
  std::uint64_t entered() const noexcept { return entered_.load(); }
  /// Returns the number of tasks that have entered and not left.
  std::uint64_t pending() const noexcept {
    const auto left = left_.load();  // read first, so that it cannot exceed `entered_`
    return entered_.load() - left;
  }
  /// Returns true once at least `count` tasks have left.
  bool has_seen(std::uint64_t count) const noexcept { return left_.load() >= count; }
  /// Returns the number of threads that wait for room.
  std::uint64_t waiting() const noexcept { return waiting_.load(std::memory_order_relaxed); }

 private:
  void wait_for_room() {
    std::unique_lock lock(mutex_);
    const waiting_scope counted(waiting_);
    wait_watch::wait(room_, lock, [this] { return has_room(); });
  }

  const std::uint64_t most_;
  alignas(64) std::atomic<std::uint64_t> last_ = 0, entered_ = 0;
  alignas(64) std::atomic<std::uint64_t> left_ = 0;
  std::atomic<std::uint64_t> waiting_ = 0;
  std::mutex mutex_;
  std::condition_variable room_;
};

}  // namespace troupe
