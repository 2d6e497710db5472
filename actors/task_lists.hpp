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
    insert_behind(t, [&](const task& other) { return other.sequence <= t.sequence; });
  }
  /// Inserts a task behind all of its priority or a higher one, in a list sorted by them.
  void insert_by_priority(task& t) noexcept {
    insert_behind(t, [&](const task& other) { return other.priority >= t.priority; });
  }
  /// Does the same where most tasks have higher sequence numbers.
  void insert_early(task& t) noexcept {
    auto* behind = first_;
    while (behind && behind->sequence < t.sequence) behind = behind->next;
    if (!behind) return push_back(t);
    t.next = behind;
    t.previous = behind->previous;
    (t.previous ? t.previous->next : first_) = &t;
    behind->previous = &t;
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
  /// Inserts a task behind the last one that it follows.
  template <class Follows>
  void insert_behind(task& t, const Follows& follows) noexcept {
    auto* before = last_;
    while (before && !follows(*before)) before = before->previous;
    if (before == last_) return push_back(t);
    t.previous = before;
    t.next = before ? before->next : first_;
    t.next->previous = &t;
    (before ? before->next : first_) = &t;
    ++size_;
  }

  task* first_ = nullptr;
  task* last_ = nullptr;
  std::size_t size_ = 0;
};

/// Queue of tasks, lowest rank first. Most tasks become ready in that order, which is
/// nearly free.
class ready_queue {
 public:
  bool empty() const noexcept { return tasks_.empty(); }
  std::size_t size() const noexcept { return tasks_.size(); }
  task* front() const noexcept { return tasks_.empty() ? nullptr : tasks_.front(); }
  auto begin() const noexcept { return tasks_.begin(); }
  auto end() const noexcept { return tasks_.end(); }
  void push(task& t) {
    if (tasks_.empty() || rank(*tasks_.back()) < rank(t)) tasks_.push_back(&t);
    else tasks_.insert(std::upper_bound(tasks_.begin(), tasks_.end(), &t, earlier), &t);
  }
  /// Returns the first task in program order, or null. Takes longer the more priorities there are.
  task* earliest() const noexcept {
    task* first = nullptr;
    for (auto one = tasks_.begin(); one != tasks_.end();) {
      const auto priority = (*one)->priority;
      if (!first || (*one)->sequence < first->sequence) first = *one;
      if (tasks_.back()->priority == priority) break;
      one =
          std::partition_point(one, tasks_.end(), [&](auto* t) { return t->priority >= priority; });
    }
    return first;
  }
  /// Takes a task that is in the queue.
  void remove(const task& t) noexcept {
    tasks_.erase(std::lower_bound(tasks_.begin(), tasks_.end(), &t, earlier));
  }
  /// Takes the first task; returns null if there is none.
  task* pop_front() noexcept {
    auto* t = front();
    if (t) tasks_.pop_front();
    return t;
  }

 private:
  static bool earlier(const task* a, const task* b) noexcept { return rank(*a) < rank(*b); }

  std::deque<task*> tasks_;
};

}  // namespace troupe
