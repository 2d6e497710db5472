// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <utility>

namespace troupe {

/// Scope in which this thread calls a function now and then while it has to wait before it may
/// submit a task or bring data. What the function throws ends the wait, and nothing is submitted.
class room_watch {
 public:
  explicit room_watch(std::function<void()> look_up)
      : look_up_(std::move(look_up)), before_(std::exchange(current_, this)) {}
  room_watch(const room_watch&) = delete;
  room_watch& operator=(const room_watch&) = delete;
  ~room_watch() { current_ = before_; }

  /// Waits until `there` returns true, which it is asked with the lock held. If the function
  /// throws, the lock is not held any more.
  template <class There>
  static void wait(std::condition_variable& changed, std::unique_lock<std::mutex>& lock,
                   const There& there) {
    if (!current_) return changed.wait(lock, there);
    while (!changed.wait_for(lock, interval, there)) {
      lock.unlock();
      current_->look_up_();
      lock.lock();
    }
  }

 private:
  static constexpr std::chrono::milliseconds interval{50};

  static inline thread_local constinit const room_watch* current_ = nullptr;

  std::function<void()> look_up_;
  const room_watch* before_;
};

}  // namespace troupe
