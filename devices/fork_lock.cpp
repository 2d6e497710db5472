// SPDX-License-Identifier: MIT
#include "troupe/devices/fork_lock.hpp"

#include <pthread.h>

#include <new>
#include <thread>

namespace troupe {

/// All locks. Never destroyed: some are in static storage.
struct fork_lock::registry {
  std::recursive_mutex first_uses;
  std::mutex access;
  fork_lock* first = nullptr;

  registry() {
    pthread_atfork([] { all().lock(); }, [] { all().unlock(); }, [] { all().unlock_in_child(); });
  }

  static registry& all() {
    static auto& one = *new registry;
    return one;
  }

  /// Takes all of them, or none: threads take several in any order.
  bool try_lock() {
    std::unique_lock uses(first_uses, std::try_to_lock);
    std::unique_lock list(access, std::try_to_lock);
    if (!uses || !list) return false;
    for (auto* l = first; l; l = l->next_) {
      if (l->try_lock()) continue;
      unlock_before(l);
      return false;
    }
    uses.release();
    list.release();
    return true;
  }
  void lock() {
    while (!try_lock()) std::this_thread::yield();
  }
  void unlock_before(const fork_lock* end) {
    for (auto* l = first; l != end; l = l->next_) l->unlock();
  }
  void unlock_locks() {
    unlock_before(nullptr);
    access.unlock();
  }
  void unlock() {
    unlock_locks();
    first_uses.unlock();
  }
  /// The thread has another number in the child: to this mutex it is not the one that locked it.
  void unlock_in_child() {
    unlock_locks();
    ::new (&first_uses) std::recursive_mutex;
  }
};

namespace {

// Registered while the process has one thread: what registers later waits for forks under way.
[[maybe_unused]] const bool early = (first_use(), true);

}  // namespace

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

first_use::first_use() { fork_lock::registry::all().first_uses.lock(); }
first_use::~first_use() { fork_lock::registry::all().first_uses.unlock(); }

}  // namespace troupe
