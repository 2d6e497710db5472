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

/// Failure state of a fake GPU, shared by all its parts.
class fault {
 public:
  void happen(std::string text) {
    std::lock_guard lock(mutex_);
    text_ = std::move(text);
    happened_.store(true, std::memory_order_release);
  }
  /// Throws if the fault has happened.
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

/// Switch that keeps a fake GPU from doing something while it is on.
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

/// Behaviour of a fake GPU, and counts of its copies.
struct behaviour {
  fault broken;
  hold news;                        ///< the host is not told of points that a stream has reached
  hold copies;                      ///< copies that have begun do not continue
  std::atomic<int> copies_put = 0;  ///< on streams
  std::atomic<int> copies_begun = 0;

  /// Waits until `n` copies have begun; returns false after a suspiciously long time.
  bool await_copies(int n) const { return await(copies_begun, n); }

  static bool await(const std::atomic<int>& count, int n) {
    const auto start = std::chrono::steady_clock::now();
    while (count < n) {
      if (std::chrono::steady_clock::now() - start > std::chrono::seconds(30)) return false;
      std::this_thread::yield();
    }
    return true;
  }
};

/// Scope that keeps a fake GPU from doing something, and ends so that a failed test does not hang.
class holding {
 public:
  explicit holding(hold& held) : held_(held) { held_.set(true); }
  holding(const holding&) = delete;
  holding& operator=(const holding&) = delete;
  ~holding() { end(); }

  void end() { held_.set(false); }

 private:
  hold& held_;
};

}  // namespace troupe::testing
