// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace troupe {

/// Bounds the number of tasks that are submitted and have not ended. A client thread that meets the bound waits until
/// half of them have ended. Thread-safe.
class submission_window {
 public:
  explicit submission_window(std::uint64_t most) : most_(most) {}

  /// Counts one task; waits for room first unless `may_wait` is false.
  void enter(bool may_wait) {
    if (pending_.load(std::memory_order_relaxed) >= most_ && may_wait) wait_for_room();
    pending_.fetch_add(1, std::memory_order_relaxed);
  }

  /// `count` tasks have ended.
  void leave(std::uint64_t count) {
    const auto left = pending_.fetch_sub(count) - count;
    if (left <= most_ / 2 && waiting_.load() > 0) {
      std::lock_guard lock(mutex_);
      room_.notify_all();
    }
  }

  std::uint64_t pending() const noexcept { return pending_.load(std::memory_order_relaxed); }
  /// How many threads wait for room.
  int waiting() const noexcept { return waiting_.load(std::memory_order_relaxed); }

 private:
  void wait_for_room() {
    std::unique_lock lock(mutex_);
    ++waiting_;
    room_.wait(lock, [this] { return pending_.load() <= most_ / 2; });
    --waiting_;
  }

  const std::uint64_t most_;
  alignas(64) std::atomic<std::uint64_t> pending_ = 0;
  alignas(64) std::atomic<int> waiting_ = 0;
  std::mutex mutex_;
  std::condition_variable room_;
};

}  // namespace troupe
