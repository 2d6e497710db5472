// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>

#include "troupe/tasks/task.hpp"

namespace troupe {

/// Where client threads leave tasks for the frontend: a lock-free list with a doorbell. Whoever
/// puts a task into an inbox whose reader is idle has to ring (send the reader a message); all
/// others need not.
class inbox {
 public:
  inbox() noexcept = default;
  inbox(const inbox&) = delete;
  inbox& operator=(const inbox&) = delete;
  ~inbox() {
    for (auto* t = take(); t;) delete std::exchange(t, t->next);
  }

  /// True if the caller has to ring.
  [[nodiscard]] bool put(task_ptr owned) noexcept {
    auto* t = owned.release();
    auto* head = head_.load(std::memory_order_relaxed);
    do t->next = head == idle() ? nullptr : head;
    while (!head_.compare_exchange_weak(head, t, std::memory_order_acq_rel,
                                        std::memory_order_relaxed));
    return head == idle();
  }

  /// All tasks, linked by `next`, oldest first; null when there are none. Does not change whether
  /// the reader is idle.
  [[nodiscard]] task* take() noexcept {
    auto* head = head_.load(std::memory_order_relaxed);
    if (!head || head == idle()) return nullptr;
    head = head_.exchange(nullptr, std::memory_order_acquire);
    task* oldest_first = nullptr;
    while (head) {
      auto* t = std::exchange(head, head->next);
      t->prefetch();
      t->next = std::exchange(oldest_first, t);
    }
    return oldest_first;
  }

  /// The reader becomes idle; false, and it does not, if there are tasks.
  [[nodiscard]] bool rest() noexcept {
    task* none = nullptr;
    return head_.compare_exchange_strong(none, idle(), std::memory_order_acq_rel) || none == idle();
  }

 private:
  // An address that is no task's.
  task* idle() noexcept { return reinterpret_cast<task*>(this); }

  std::atomic<task*> head_ = idle();
};

}  // namespace troupe
