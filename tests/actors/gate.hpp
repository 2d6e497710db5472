// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>

namespace troupe::testing {

/// Gate that keeps operations from ending until it is opened, and counts those inside. It opens
/// when destroyed, so that a failed test does not hang: declare it after the runtime.
class gate {
 public:
  gate() = default;
  gate(const gate&) = delete;
  gate& operator=(const gate&) = delete;
  ~gate() { open(); }

  /// Handle with which an operation passes through.
  class way {
   public:
    void pass() const {
      std::unique_lock lock(s_->mutex);
      ++s_->inside, ++s_->entered;
      s_->most = std::max(s_->most, s_->inside);
      s_->changed.notify_all();
      s_->changed.wait(lock, [this] { return s_->open; });
      --s_->inside;
    }

   private:
    friend gate;
    struct state {
      std::mutex mutex;
      std::condition_variable changed;
      int inside = 0, entered = 0, most = 0;
      bool open = false;
    };
    std::shared_ptr<state> s_ = std::make_shared<state>();
  };

  const way& through() const noexcept { return way_; }

  void open() {
    std::lock_guard lock(way_.s_->mutex);
    way_.s_->open = true;
    way_.s_->changed.notify_all();
  }

  /// Waits until `n` operations are inside together; returns false after a suspiciously long time.
  bool await_inside(int n) const {
    std::unique_lock lock(way_.s_->mutex);
    return way_.s_->changed.wait_for(lock, std::chrono::seconds(30),
                                     [&] { return way_.s_->inside >= n; });
  }
  /// Returns the number of operations that have entered.
  int entered() const {
    std::lock_guard lock(way_.s_->mutex);
    return way_.s_->entered;
  }
  /// Returns the greatest number that were inside together.
  int most() const {
    std::lock_guard lock(way_.s_->mutex);
    return way_.s_->most;
  }

 private:
  way way_;
};

}  // namespace troupe::testing
