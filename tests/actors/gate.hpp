// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>

namespace troupe::testing {

/// Keeps operations from ending until it is opened, and counts those inside. Opens when it is
/// destroyed, so that a failed test does not hang: declare it after the runtime.
class gate {
 public:
  gate() = default;
  gate(const gate&) = delete;
  gate& operator=(const gate&) = delete;
  ~gate() { open(); }

  /// What an operation holds to pass through.
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

  /// True once `n` operations are inside together; false if that takes suspiciously long.
  bool await_inside(int n) const {
    std::unique_lock lock(way_.s_->mutex);
    return way_.s_->changed.wait_for(lock, std::chrono::seconds(30),
                                     [&] { return way_.s_->inside >= n; });
  }
  /// How many have come to it.
  int entered() const {
    std::lock_guard lock(way_.s_->mutex);
    return way_.s_->entered;
  }
  /// The most that were inside together.
  int most() const {
    std::lock_guard lock(way_.s_->mutex);
    return way_.s_->most;
  }

 private:
  way way_;
};

}  // namespace troupe::testing
