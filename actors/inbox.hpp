// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>

#include "troupe/tasks/task.hpp"

namespace troupe {

/// Lock-free list in which client threads leave tasks for the frontend, which takes all of them at
/// once. One message that calls the frontend is enough for all tasks that it will find.
class inbox {
 public:
  inbox() noexcept = default;
  inbox(const inbox&) = delete;
  inbox& operator=(const inbox&) = delete;
  ~inbox() {
    for (auto* t = take(); t;) delete std::exchange(t, t->next);
  }

  /// Adds a task. Returns true if it found the inbox empty.
  bool put(task_ptr owned) noexcept {
    auto* t = owned.release();
    auto* head = head_.load(std::memory_order_relaxed);
    do t->next = head;
    while (!head_.compare_exchange_weak(head, t, std::memory_order_seq_cst,
                                        std::memory_order_relaxed));
    return !head;
  }

  bool empty() const noexcept { return !head_.load(std::memory_order_seq_cst); }

  /// Returns true if there is a task, and nobody has called the frontend for it yet.
  bool waits() const noexcept { return !empty() && !called_.load(); }

  /// Returns true if the caller must call the frontend; false if it is being called already.
  [[nodiscard]] bool call() noexcept { return !called_.exchange(true); }

  /// Takes all tasks, linked by `next`, oldest first; returns null if there are none.
  [[nodiscard]] task* take() noexcept {
    called_.store(false);
    if (!head_.load(std::memory_order_relaxed)) return nullptr;
    auto* head = head_.exchange(nullptr, std::memory_order_acquire);
    task* oldest_first = nullptr;
    while (head) {
      auto* t = std::exchange(head, head->next);
      t->prefetch();
      t->next = std::exchange(oldest_first, t);
    }
    return oldest_first;
  }

 private:
  alignas(64) std::atomic<task*> head_ = nullptr;
  alignas(64) std::atomic<bool> called_ = false;
};

}  // namespace troupe
