// SPDX-License-Identifier: MIT
#include "troupe/devices/memory.hpp"

namespace troupe {

void memory::set_listener(std::shared_ptr<memory_listener> listener) {
  std::lock_guard lock(mutex_);
  listener_ = std::move(listener);
}

void memory::tell() noexcept {
  if (!wanted_.exchange(false)) return;
  std::lock_guard lock(mutex_);
  if (listener_) listener_->freed();
}

}  // namespace troupe
