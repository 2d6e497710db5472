// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "troupe/tasks/task.hpp"

namespace troupe {

/// Tasks in flight on one lane, in the order in which it runs them. Stores the types of their
/// outputs, since the lane may release the values at any time.
class tasks_in_flight {
 public:
  void add(const task& t) {
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
  }

  /// Removes a task that is likely to be the last.
  void remove_last(const task& t) {
    const auto& e = ring_[(last_ - 1) & mask_];
    if (e.task != &t) return remove_slowly(t);
    if (e.rank < 0) others_.erase(&t);
    for (--last_; gaps_ > 0 && !ring_[(last_ - 1) & mask_].task; --last_) --gaps_;
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
    const troupe::task* task = nullptr;
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
    const auto count = size();
    std::vector<entry> more(std::max<std::size_t>(64, 2 * ring_.size()));
    for (std::size_t i = 0; i < count; ++i) more[i] = ring_[(first_ + i) & mask_];
    ring_ = std::move(more);
    first_ = 0, last_ = count, mask_ = ring_.size() - 1;
  }

  std::vector<entry> ring_;           ///< its size is a power of two
  std::size_t first_ = 0, last_ = 0;  ///< never wrap; masked on access
  std::size_t mask_ = 0;
  std::size_t gaps_ = 0;  ///< tasks that ended before an earlier one
  std::unordered_map<const task*, std::vector<tensor_type>> others_;
};

}  // namespace troupe
