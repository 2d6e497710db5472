// SPDX-License-Identifier: MIT
#include "troupe/tensor/allowance.hpp"

#include <algorithm>

#include "troupe/tensor/value.hpp"

namespace troupe {

bool allowance::take(std::size_t bytes, ticks round) {
  {
    std::lock_guard lock(mutex_);
    if (refused_ == round) return false;
    if (grant(bytes)) return true;
  }
  home_->notify_when_freed();
  std::lock_guard lock(mutex_);
  if (grant(bytes)) return true;  // something was freed just before we asked
  refused_ = round;
  return false;
}

bool allowance::grant(std::size_t bytes) noexcept {
  if (live_ + bytes > limit_) return false;
  live_ += bytes;
  peak_ = std::max(peak_, live_);
  return true;
}

void allowance::force(std::size_t bytes) {
  std::lock_guard lock(mutex_);
  live_ += bytes;
  peak_ = std::max(peak_, live_);
}

void allowance::give_back(std::size_t bytes) {
  std::lock_guard lock(mutex_);
  live_ -= bytes;
}

void allowance::deallocate(void* data, std::size_t bytes) noexcept {
  home_->deallocate(data, bytes);
  give_back(bytes);
  home_->freed();  // once more: who was told before found no credit yet
}

memory_statistics allowance::statistics() const {
  std::lock_guard lock(mutex_);
  return {live_, peak_, 0};
}

bool permit::take(std::size_t bytes, ticks round) {
  if (!from_->take(bytes, round)) return false;
  granted_ += bytes;
  return true;
}

void permit::force(std::size_t bytes) {
  from_->force(bytes);
  granted_ += bytes;
}

void permit::allocate(value& out) {
  const auto bytes = out.bytes();
  if (granted_ < bytes) force(bytes - granted_);
  out.allocate(from_);
  granted_ -= bytes;
}

void permit::give_back() noexcept {
  if (granted_ > 0) from_->give_back(std::exchange(granted_, 0));
}

}  // namespace troupe
