// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <vector>

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
  template <class F>
  void for_each(F&& f) const {
    for (const auto* t = first_; t; t = t->next) f(*t);
  }

 private:
  task* first_ = nullptr;
  task* last_ = nullptr;
  std::size_t size_ = 0;
};

/// Queue of tasks, lowest sequence number first. Most tasks become ready in that order, which is
/// nearly free.
class task_queue {
 public:
  std::size_t size() const noexcept { return tasks_.size(); }
  task* front() const noexcept { return tasks_.empty() ? nullptr : tasks_.front(); }
  void push_back(task& t) {
    if (tasks_.empty() || tasks_.back()->sequence < t.sequence) tasks_.push_back(&t);
    else tasks_.insert(std::upper_bound(tasks_.begin(), tasks_.end(), &t, earlier), &t);
  }
  /// Takes the first task; returns null if there is none.
  task* pop_front() noexcept {
    auto* t = front();
    if (t) tasks_.pop_front();
    return t;
  }
  template <class F>
  void for_each(F&& f) const {
    for (const auto* t : tasks_) f(*t);
  }

 private:
  static bool earlier(const task* a, const task* b) noexcept { return a->sequence < b->sequence; }

  std::deque<task*> tasks_;
};

/// Lists of tasks, one for each priority in use.
template <class List>
class by_priority {
 public:
  /// Returns the first task of the highest priority, or null.
  task* front() const noexcept {
    for (const auto& l : levels_) {
      if (auto* t = l.tasks.front()) return t;
    }
    return nullptr;
  }
  void push_back(task& t) { of(t.priority).push_back(t); }
  task* pop_front() noexcept {
    for (auto& l : levels_) {
      if (auto* t = l.tasks.pop_front()) return t;
    }
    return nullptr;
  }
  void remove(task& t) noexcept { of(t.priority).remove(t); }
  std::size_t size() const noexcept {
    std::size_t n = 0;
    for (const auto& l : levels_) n += l.tasks.size();
    return n;
  }
  template <class F>
  void for_each(F&& f) const {
    for (const auto& l : levels_) l.tasks.for_each(f);
  }

 private:
  struct level {
    int priority;
    List tasks;
  };

  List& of(int priority) {
    auto at = levels_.begin();
    while (at != levels_.end() && at->priority > priority) ++at;
    if (at == levels_.end() || at->priority != priority)
      at = levels_.insert(at, level{priority, {}});
    return at->tasks;
  }

  std::vector<level> levels_;  ///< highest priority first; kept when they are empty
};

}  // namespace troupe
