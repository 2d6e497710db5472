// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <set>
#include <utility>

#include "troupe/tasks/deadline.hpp"

namespace troupe {

/// The next of a runtime's deadlines, for threads that sleep or look for work. Thread-safe.
class deadline_clock {
 public:
  using time_point = std::chrono::steady_clock::time_point;

  void set(time_point next) noexcept { next_.store(next.time_since_epoch().count()); }
  /// Returns true if the deadline is over. Nearly free while there is none.
  bool over() const noexcept {
    const auto next = next_.load(std::memory_order_relaxed);
    return next != never && next <= time();
  }
  /// Returns the same, and true to one caller only.
  bool take_over() noexcept { return over() && next_.exchange(never) != never; }
  /// Returns the time until the deadline.
  std::chrono::nanoseconds time_left() const noexcept {
    const auto next = next_.load(std::memory_order_relaxed);
    if (next == never) return std::chrono::nanoseconds::max();
    return time_point::duration(next - time());
  }

 private:
  using count = time_point::duration::rep;
  static constexpr count never = time_point::max().time_since_epoch().count();
  static count time() noexcept {
    return std::chrono::steady_clock::now().time_since_epoch().count();
  }

  std::atomic<count> next_ = never;
};

/// Timed tasks that have not ended, by their deadlines.
class deadlines {
 public:
  explicit deadlines(deadline_clock& clock) : clock_(clock) {}

  void add(task& t) {
    tasks_.emplace(when(t), &t);
    set_clock();
  }
  void remove(task& t) {
    if (tasks_.erase({when(t), &t}) > 0) set_clock();
  }
  /// Takes a task whose deadline is over; returns null if there is none.
  task* take_missed() {
    task* t = nullptr;
    if (!tasks_.empty() && tasks_.begin()->first <= std::chrono::steady_clock::now()) {
      t = tasks_.begin()->second;
      tasks_.erase(tasks_.begin());
    }
    set_clock();
    return t;
  }

 private:
  using time_point = deadline_clock::time_point;

  static time_point when(const task& t) { return t.attributes.as<deadline>().when; }
  void set_clock() noexcept {
    clock_.set(tasks_.empty() ? time_point::max() : tasks_.begin()->first);
  }

  deadline_clock& clock_;
  std::set<std::pair<time_point, task*>> tasks_;
};

}  // namespace troupe
