// SPDX-License-Identifier: MIT
#include "troupe/tasks/memory_budget.hpp"

#include <algorithm>

#include "troupe/tasks/value.hpp"

namespace troupe {

bool memory_budget::take(std::size_t bytes, ticks round) {
  {
    std::lock_guard lock(mutex_);
    if (refused_ == round) return false;
    if (grant(bytes)) return true;
  }
  home_->notify_when_freed();
  std::lock_guard lock(mutex_);
  if (grant(bytes)) return true;  // something was freed just before the request
  refused_ = round;
  return false;
}

bool memory_budget::grant(std::size_t bytes) noexcept {
  if (live_ + bytes > limit_) return false;
  live_ += bytes;
  peak_ = std::max(peak_, live_);
  return true;
}

void memory_budget::force(std::size_t bytes) {
  std::lock_guard lock(mutex_);
  live_ += bytes;
  peak_ = std::max(peak_, live_);
}

void memory_budget::give_back(std::size_t bytes) {
  std::lock_guard lock(mutex_);
  live_ -= bytes;
}

void memory_budget::deallocate(void* data, std::size_t bytes) noexcept {
  home_->deallocate(data, bytes);
  give_back(bytes);
  home_->freed();  // a second notification: at the first one the credit was not back yet
}

memory_statistics memory_budget::statistics() const {
  std::lock_guard lock(mutex_);
  return {live_, peak_, 0};
}

bool budget_grant::take(std::size_t bytes, ticks round) {
  if (!from_->take(bytes, round)) return false;
  granted_ += bytes;
  return true;
}

void budget_grant::force(std::size_t bytes) {
  from_->force(bytes);
  granted_ += bytes;
}

void budget_grant::allocate(value& out) {
  const auto bytes = out.bytes();
  if (granted_ < bytes) force(bytes - granted_);
  out.allocate(from_);
  granted_ -= bytes;
}

void budget_grant::give_back() noexcept {
  if (granted_ > 0) from_->give_back(std::exchange(granted_, 0));
}

}  // namespace troupe
