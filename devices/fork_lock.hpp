// SPDX-License-Identifier: MIT
#pragma once

#include <mutex>

namespace troupe {

/// Mutex that no other thread holds while the process forks: a child finds it free, and what it
/// guards in order. For caches that are held for a moment; whoever holds one takes no other.
class fork_lock {
 public:
  fork_lock();
  fork_lock(const fork_lock&) = delete;
  fork_lock& operator=(const fork_lock&) = delete;
  ~fork_lock();

  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }
  bool try_lock() { return mutex_.try_lock(); }

 private:
  struct registry;

  std::mutex mutex_;
  fork_lock* next_ = nullptr;
  fork_lock* before_ = nullptr;
};

}  // namespace troupe
