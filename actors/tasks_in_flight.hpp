// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "troupe/actors/assignment.hpp"
#include "troupe/tasks/task.hpp"

namespace troupe {

/// Tasks in flight on one lane, in the order in which it runs them. Stores the types of their
/// outputs, since the lane may release the values at any time.
class tasks_in_flight {
 public:
  void add(task& t) {
    if (size() == ring_.size()) grow();
    auto& e = ring_[last_++ & mask_];
    e.task = &t;
    if (!note_small(t, e)) note_other(t, e);
  }
  void remove(const task& t) {
    const auto& e = ring_[first_ & mask_];
    if (e.task == &t && gaps_ == 0 && e.rank >= 0) [[likely]]
      ++first_;
    else remove_slowly(t);
    while (first_ >= oldest_end_) forget_oldest();
  }
  /// Notes that the tasks that were added last travel in this assignment.
  void sent(assignment_ref tasks) {
    if (sent_.empty()) oldest_end_ = last_;
    sent_.push_back({last_ - tasks->size(), std::move(tasks)});
  }

  // Tasks are numbered in the order in which they were added.
  std::size_t first() const noexcept { return first_; }
  std::size_t last() const noexcept { return last_; }
  /// Returns a task by its number, or null if it has ended or was removed.
  task* at(std::size_t number) const noexcept { return ring_[number & mask_].task; }
  /// Takes a task back from the lane; returns false if the lane has begun it, or may have.
  bool take_back(std::size_t number) const noexcept {
    for (const auto& one : sent_) {
      if (number - one.first < one.tasks->size())
        return one.tasks->take_back(number - one.first) != nullptr;
    }
    return false;
  }

  std::size_t size() const noexcept { return last_ - first_; }
  /// Returns null if the task has ended while an earlier one has not.
  const task* operator[](std::size_t i) const noexcept { return ring_[(first_ + i) & mask_].task; }
  std::vector<tensor_type> outputs_of(std::size_t i) const {
    const auto& e = ring_[(first_ + i) & mask_];
    if (e.rank < 0) return others_.at(e.task);
    tensor_type type{{}, e.element, e.task->device};
    for (int axis = 0; axis < e.rank; ++axis) type.dims.push_back(e.sizes[axis]);
    return {type};
  }

 private:
  // Kept small, since one is written per task.
  struct entry {
    troupe::task* task = nullptr;
    std::int32_t sizes[3];
    std::int8_t rank;  ///< -1: the types are in `others_`
    dtype element;
  };

  static bool note_small(const task& t, entry& e) noexcept {
    if (t.outputs.size() != 1) return false;
    const auto& dims = t.outputs[0]->dims();
    if (dims.rank() > 3) return false;
    for (int axis = 0; axis < dims.rank(); ++axis) {
      e.sizes[axis] = static_cast<std::int32_t>(dims[axis]);
      if (e.sizes[axis] != dims[axis]) return false;
    }
    e.rank = static_cast<std::int8_t>(dims.rank());
    e.element = t.outputs[0]->element;
    return true;
  }
  [[gnu::noinline]] void note_other(const task& t, entry& e) {
    e.rank = -1;
    auto& types = others_[&t];
    for (const auto& out : t.outputs) types.push_back(out->type());
  }
  [[gnu::noinline]] void remove_slowly(const task& t) {
    auto i = first_;
    while (ring_[i & mask_].task != &t) ++i;
    auto& e = ring_[i & mask_];
    if (e.rank < 0) others_.erase(&t);
    e.task = nullptr;
    ++gaps_;
    for (; gaps_ > 0 && !ring_[first_ & mask_].task; ++first_) --gaps_;
  }
  [[gnu::noinline]] void grow() {
    std::vector<entry> more(std::max<std::size_t>(64, 2 * ring_.size()));
    const auto mask = more.size() - 1;
    for (auto i = first_; i < last_; ++i) more[i & mask] = ring_[i & mask_];
    ring_ = std::move(more);
    mask_ = mask;
  }
  [[gnu::noinline]] void forget_oldest() {
    sent_.pop_front();
    oldest_end_ = sent_.empty() ? std::numeric_limits<std::size_t>::max()
                                : sent_.front().first + sent_.front().tasks->size();
  }

  struct sent_tasks {
    std::size_t first;  ///< number of its first task, counted like `first_`
    assignment_ref tasks;
  };

  std::vector<entry> ring_;           ///< its size is a power of two
  std::size_t first_ = 0, last_ = 0;  ///< never wrap; masked on access
  std::size_t mask_ = 0;
  std::size_t gaps_ = 0;         ///< tasks that ended before an earlier one
  std::deque<sent_tasks> sent_;  ///< oldest first, with at least one task that has not ended
  std::size_t oldest_end_ = std::numeric_limits<std::size_t>::max();
  std::unordered_map<const task*, std::vector<tensor_type>> others_;
};

}  // namespace troupe
