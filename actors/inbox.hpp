// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>

#include "troupe/tasks/task.hpp"

namespace troupe {

/// Lock-free list in which client threads leave tasks for the frontend. A client that puts a task
/// into the inbox of an idle reader must wake the reader with a message; all others need not.
class inbox {
 public:
  inbox() noexcept = default;
  inbox(const inbox&) = delete;
  inbox& operator=(const inbox&) = delete;
  ~inbox() {
    for (auto* t = take(); t;) delete std::exchange(t, t->next);
  }

  /// Adds a task. Returns true if the caller must wake the reader.
  [[nodiscard]] bool put(task_ptr owned) noexcept {
    auto* t = owned.release();
    auto* head = head_.load(std::memory_order_relaxed);
    do t->next = head == idle() ? nullptr : head;
    while (!head_.compare_exchange_weak(head, t, std::memory_order_acq_rel,
                                        std::memory_order_relaxed));
    return head == idle();
  }

  /// Takes all tasks, linked by `next`, oldest first; returns null if there are none. Does not
  /// change whether the reader is idle.
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

  /// Marks the reader idle; returns false and changes nothing if there are tasks.
  [[nodiscard]] bool rest() noexcept {
    task* none = nullptr;
    return head_.compare_exchange_strong(none, idle(), std::memory_order_acq_rel) || none == idle();
  }

 private:
  // Address that no task can have.
  task* idle() noexcept { return reinterpret_cast<task*>(this); }

  std::atomic<task*> head_ = idle();
};

}  // namespace troupe
