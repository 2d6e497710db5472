// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <deque>

#include "troupe/tasks/task.hpp"

namespace troupe {

/// Intrusive list of tasks; removal from the middle takes constant time.
class linked_tasks {
 public:
  task* front() const noexcept { return first_; }
  std::size_t size() const noexcept { return size_; }

  void push_back(task& t) noexcept {
    t.previous = last_;
    t.next = nullptr;
    (last_ ? last_->next : first_) = &t;
    last_ = &t;
    ++size_;
  }
  /// Inserts a task behind all with lower sequence numbers, in a list sorted by them. Most tasks go
  /// last.
  void insert(task& t) noexcept {
    auto* before = last_;
    while (before && before->sequence > t.sequence) before = before->previous;
    if (before == last_) return push_back(t);
    t.previous = before;
    t.next = before ? before->next : first_;
    t.next->previous = &t;
    (before ? before->next : first_) = &t;
    ++size_;
  }
  void remove(task& t) noexcept {
    (t.previous ? t.previous->next : first_) = t.next;
    (t.next ? t.next->previous : last_) = t.previous;
    --size_;
  }
  task* pop_front() noexcept {
    auto* t = first_;
    if (t) remove(*t);
    return t;
  }

 private:
  task* first_ = nullptr;
  task* last_ = nullptr;
  std::size_t size_ = 0;
};

/// Queue of tasks, lowest sequence number first. Most tasks become ready in that order, which is
/// nearly free.
class ready_queue {
 public:
  bool empty() const noexcept { return tasks_.empty(); }
  std::size_t size() const noexcept { return tasks_.size(); }
  task* front() const noexcept { return tasks_.empty() ? nullptr : tasks_.front(); }
  auto begin() const noexcept { return tasks_.begin(); }
  auto end() const noexcept { return tasks_.end(); }
  void push(task& t) {
    if (tasks_.empty() || tasks_.back()->sequence < t.sequence) tasks_.push_back(&t);
    else tasks_.insert(std::upper_bound(tasks_.begin(), tasks_.end(), &t, earlier), &t);
  }
  /// Takes the first task; returns null if there is none.
  task* pop_front() noexcept {
    auto* t = front();
    if (t) tasks_.pop_front();
    return t;
  }
  /// Takes a task that is in the queue.
  void remove(task& t) noexcept {
    tasks_.erase(std::lower_bound(tasks_.begin(), tasks_.end(), &t, earlier));
  }

 private:
  static bool earlier(const task* a, const task* b) noexcept { return a->sequence < b->sequence; }

  std::deque<task*> tasks_;
};

}  // namespace troupe
