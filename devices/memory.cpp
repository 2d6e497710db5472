// SPDX-License-Identifier: MIT
#include "troupe/devices/memory.hpp"

namespace troupe {

void memory::on_freed(std::function<void()> notify) {
  std::lock_guard lock(mutex_);
  notify_ = std::move(notify);
}

void memory::tell() noexcept {
  if (!wanted_.exchange(false)) return;
  std::lock_guard lock(mutex_);
  if (notify_) notify_();
}

}  // namespace troupe
