// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

namespace troupe::testing {

/// Whether a fake GPU still works, for all that belongs to it.
class fault {
 public:
  void happen(std::string text) {
    std::lock_guard lock(mutex_);
    text_ = std::move(text);
    happened_.store(true, std::memory_order_release);
  }
  /// Throws if it has happened.
  void check() const {
    if (!happened_.load(std::memory_order_acquire)) return;
    std::lock_guard lock(mutex_);
    throw std::runtime_error(text_);
  }
  bool happened() const noexcept { return happened_.load(std::memory_order_acquire); }

 private:
  std::atomic<bool> happened_ = false;
  mutable std::mutex mutex_;
  std::string text_;
};

/// Something that a fake GPU does not do while it is on.
class hold {
 public:
  void set(bool on) {
    on_.store(on);
    on_.notify_all();
  }
  bool on() const noexcept { return on_.load(); }
  void wait() const { on_.wait(true); }

 private:
  std::atomic<bool> on_ = false;
};

/// How a fake GPU behaves, and what it did.
struct conduct {
  fault broken;
  hold news;    ///< the host hears of no point that a stream has got to
  hold copies;  ///< copies that have begun go no further
  std::atomic<int> copies_begun = 0;

  /// True once `n` copies have begun; false if that takes suspiciously long.
  bool await_copies(int n) const {
    const auto start = std::chrono::steady_clock::now();
    while (copies_begun < n) {
      if (std::chrono::steady_clock::now() - start > std::chrono::seconds(30)) return false;
      std::this_thread::yield();
    }
    return true;
  }
};

/// Keeps a fake GPU from something, for as long as it lives: so that a failed test does not hang.
class holding {
 public:
  explicit holding(hold& what) : what_(what) { what_.set(true); }
  holding(const holding&) = delete;
  holding& operator=(const holding&) = delete;
  ~holding() { end(); }

  void end() { what_.set(false); }

 private:
  hold& what_;
};

}  // namespace troupe::testing
