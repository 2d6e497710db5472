// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <utility>

namespace troupe {

/// Scope in which this thread calls a function now and then while it waits: for a value, before it
/// may submit a task, or before it brings data. What the function throws ends the wait; nothing is
/// submitted then, and a value that was waited for is computed all the same. Within such a scope
/// without a function, nothing ends a wait.
class wait_watch {
 public:
  explicit wait_watch(std::function<void()> look_up)
      : look_up_(std::move(look_up)), before_(std::exchange(current_, this)) {}
  wait_watch(const wait_watch&) = delete;
  wait_watch& operator=(const wait_watch&) = delete;
  ~wait_watch() { current_ = before_; }

  /// Waits until `there` returns true, which it is asked with the lock held. If the function
  /// throws, the lock is not held any more.
  template <class There>
  static void wait(std::condition_variable& changed, std::unique_lock<std::mutex>& lock,
                   const There& there) {
    if (!here()) return changed.wait(lock, there);
    while (!changed.wait_for(lock, interval, there)) {
      lock.unlock();
      current_->look_up_();
      lock.lock();
    }
  }

  /// Returns true if a wait may end before its time.
  static bool here() noexcept { return current_ && current_->look_up_; }

 private:
  static constexpr std::chrono::milliseconds interval{50};

  static inline thread_local constinit const wait_watch* current_ = nullptr;

  std::function<void()> look_up_;
  const wait_watch* before_;
};

}  // namespace troupe
