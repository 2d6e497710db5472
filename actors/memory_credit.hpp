// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include "troupe/devices/memory.hpp"

namespace troupe {

/// Number of tasks in flight on all devices of a runtime, and a flag that some ordering holds tasks
/// back until it is zero: as long as something runs, it may free memory.
struct in_flight_count {
  std::atomic<std::int64_t> total = 0;
  std::atomic<bool> held_back = false;
};

/// Credits in bytes: memory of a device that released tasks may still take. Thread-safe.
class memory_credit {
 public:
  memory_credit(std::shared_ptr<memory> home, std::size_t limit)
      : home_(std::move(home)), limit_(limit) {}

  /// Grants `bytes` if they fit under the limit beside live and granted memory. Otherwise asks the
  /// memory to notify its listener when something is freed.
  bool take(std::size_t bytes) {
    if (fits(bytes)) return true;
    home_->notify_when_freed();
    return fits(bytes);  // something may have been freed just before the request
  }
  /// Grants `bytes` even if they do not fit.
  void force(std::size_t bytes) {
    std::lock_guard lock(mutex_);
    granted_ += bytes;
  }
  void give_back(std::size_t bytes) {
    std::lock_guard lock(mutex_);
    granted_ -= bytes;
  }

  std::size_t limit() const noexcept { return limit_; }
  memory& home() const noexcept { return *home_; }

 private:
  bool fits(std::size_t bytes) {
    std::lock_guard lock(mutex_);
    if (home_->live() + granted_ + bytes > limit_) return false;
    granted_ += bytes;
    return true;
  }

  std::shared_ptr<memory> home_;
  std::size_t limit_;
  std::mutex mutex_;
  std::size_t granted_ = 0;
};

}  // namespace troupe
