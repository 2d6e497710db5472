// SPDX-License-Identifier: MIT
#include "troupe/devices/fork_lock.hpp"

#include <pthread.h>

namespace troupe {

/// All locks. Never destroyed: some are in static storage.
struct fork_lock::registry {
  std::mutex access;
  fork_lock* first = nullptr;

  static registry& all() {
    static auto& one = *new registry;
    [[maybe_unused]] static const int once = pthread_atfork(
        [] {
          all().access.lock();
          for (auto* l = all().first; l; l = l->next_) l->lock();
        },
        release, release);
    return one;
  }
  static void release() {
    for (auto* l = all().first; l; l = l->next_) l->unlock();
    all().access.unlock();
  }
};

fork_lock::fork_lock() {
  auto& all = registry::all();
  const std::lock_guard lock(all.access);
  next_ = all.first;
  if (next_) next_->before_ = this;
  all.first = this;
}

fork_lock::~fork_lock() {
  auto& all = registry::all();
  const std::lock_guard lock(all.access);
  if (next_) next_->before_ = before_;
  (before_ ? before_->next_ : all.first) = next_;
}

}  // namespace troupe
