// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

namespace troupe {

/// Place in which one thread sleeps. A call to `wake` that comes early is remembered.
class sleeping_place {
 public:
  void sleep() {
    std::unique_lock lock(mutex_);
    woken_up_.wait(lock, [this] { return woken_; });
    woken_ = false;
  }
  /// Returns false if nobody woke it for so long.
  bool sleep_for(std::chrono::nanoseconds most) {
    std::unique_lock lock(mutex_);
    woken_up_.wait_for(lock, most, [this] { return woken_; });
    return std::exchange(woken_, false);
  }
  void wake() {
    {
      std::lock_guard lock(mutex_);
      woken_ = true;
    }
    woken_up_.notify_one();
  }

 private:
  std::mutex mutex_;
  std::condition_variable woken_up_;
  bool woken_ = false;
};

}  // namespace troupe
