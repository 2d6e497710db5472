// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <new>
#include <thread>

// Replaces the global `operator new`: to be included by one source of a program. Sanitizers have
// their own.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define TROUPE_TESTS_SHORTAGES

namespace troupe::testing {

/// Scope in which no thread but the one that begins it gets memory from `operator new`.
class shortage {
 public:
  shortage() {
    mine_ = true;
    refused_ = 0;
    now_ = true;
  }
  shortage(const shortage&) = delete;
  shortage& operator=(const shortage&) = delete;
  ~shortage() {
    now_ = false;
    mine_ = false;
  }

  /// Waits until so many allocations were refused; returns false after a suspiciously long time.
  static bool await_refused(int count) {
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (refused_ < count && std::chrono::steady_clock::now() < patience)
      std::this_thread::yield();
    return refused_ >= count;
  }

  static bool refuses() noexcept {
    if (!now_.load(std::memory_order_relaxed) || mine_) return false;
    ++refused_;
    return true;
  }

 private:
  static inline std::atomic<bool> now_ = false;
  static inline std::atomic<int> refused_ = 0;
  static inline thread_local constinit bool mine_ = false;
};

}  // namespace troupe::testing

[[gnu::noinline]] void* operator new(std::size_t bytes) {
  for (;;) {
    if (!troupe::testing::shortage::refuses()) {
      if (void* const memory = std::malloc(bytes ? bytes : 1)) return memory;
    }
    const auto handler = std::get_new_handler();
    if (!handler) throw std::bad_alloc();
    handler();
  }
}

[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

#endif
