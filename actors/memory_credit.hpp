// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>

#include "troupe/devices/memory.hpp"

namespace troupe {

/// Bytes that a device may hold. A strict limit is never exceeded; another is, by what is next in
/// program order and does not fit.
struct memory_bound {
  memory_bound(std::size_t most, bool never_exceeded = false) noexcept
      : bytes(most), strict(never_exceeded) {}

  std::size_t bytes;
  bool strict;
};

/// Credits in bytes: memory of a device that released tasks may still take. Thread-safe.
class memory_credit {
 public:
  memory_credit(std::shared_ptr<memory> home, memory_bound limit)
      : home_(std::move(home)), limit_(limit) {}

  /// Grants `bytes` if they fit under the limit beside live and granted memory, and `spare` bytes
  /// more would. Otherwise asks the memory to notify its listener when something is freed.
  bool take(std::size_t bytes, std::size_t spare = 0) {
    if (fits(bytes, spare)) return true;
    home_->notify_when_freed();
    return fits(bytes, spare);  // something may have been freed just before the request
  }
  /// Returns true if so much is left that who takes `bytes` at once need not be granted them: as
  /// many threads as there may be would not exceed the limit together.
  bool has_plenty_for(std::size_t bytes) const noexcept {
    constexpr std::size_t threads = 1024;
    return bytes <= limit_.bytes / threads / 4 && taken() <= limit_.bytes / 2;
  }
  /// Grants `bytes` even if they do not fit.
  void force(std::size_t bytes) {
    std::lock_guard lock(mutex_);
    grant(bytes);
  }
  void give_back(std::size_t bytes) {
    {
      std::lock_guard lock(mutex_);
      grant(-bytes);
    }
    home_->freed();  // credit counts beside the memory itself until it is back
  }

  std::size_t limit() const noexcept { return limit_.bytes; }
  /// Returns the bytes that are live or granted.
  std::size_t taken() const noexcept {
    return home_->live() + granted_.load(std::memory_order_relaxed);
  }
  /// Returns true if nothing may be forced: what does not fit has to fail.
  bool strict() const noexcept { return limit_.strict; }
  memory& home() const noexcept { return *home_; }

 private:
  bool fits(std::size_t bytes, std::size_t spare) {
    std::lock_guard lock(mutex_);
    const auto others = taken();
    if (others > limit_.bytes || bytes + spare > limit_.bytes - others) return false;
    grant(bytes);
    return true;
  }
  /// For who has the mutex.
  void grant(std::size_t more) noexcept {
    granted_.store(granted_.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
  }

  std::shared_ptr<memory> home_;
  memory_bound limit_;
  std::mutex mutex_;
  std::atomic<std::size_t> granted_ = 0;
};

}  // namespace troupe
