// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <unordered_map>
#include <utility>
#include <vector>

#include "troupe/tensor/task.hpp"

namespace troupe {

/// The tasks in flight on one lane, in the order in which it runs them. Keeps the types of what they compute: their lane
/// may let go of the values at any time.
class tasks_in_flight {
 public:
  void add(const task& t) {
    if (size() == tasks_.size()) grow();
    const auto i = last_++ & mask_;
    tasks_[i] = &t;
    if (t.outputs.size() == 1) [[likely]]
      types_[i] = t.outputs[0]->type();
    else note_several(t);
  }
  void remove(const task& t) {
    if (tasks_[first_ & mask_] == &t && gaps_ == 0) [[likely]]
      ++first_;
    else leave_gap(t);
    if (!several_.empty()) several_.erase(&t);
  }

  std::size_t size() const noexcept { return last_ - first_; }
  /// Null: it has ended, and one before it has not.
  const task* operator[](std::size_t i) const noexcept { return tasks_[(first_ + i) & mask_]; }
  std::vector<tensor_type> outputs_of(std::size_t i) const {
    const auto at = (first_ + i) & mask_;
    const auto found = several_.find(tasks_[at]);
    return found == several_.end() ? std::vector{types_[at]} : found->second;
  }

 private:
  [[gnu::noinline]] void leave_gap(const task& t) {
    auto i = first_;
    while (tasks_[i & mask_] != &t) ++i;
    tasks_[i & mask_] = nullptr;
    ++gaps_;
    for (; gaps_ > 0 && !tasks_[first_ & mask_]; ++first_) --gaps_;
  }
  [[gnu::noinline]] void grow() {
    const auto count = size();
    std::vector<const task*> tasks(std::max<std::size_t>(64, 2 * tasks_.size()));
    std::vector<tensor_type> types(tasks.size());
    for (std::size_t i = 0; i < count; ++i) {
      tasks[i] = tasks_[(first_ + i) & mask_];
      types[i] = types_[(first_ + i) & mask_];
    }
    tasks_ = std::move(tasks), types_ = std::move(types);
    first_ = 0, last_ = count, mask_ = tasks_.size() - 1;
  }
  [[gnu::noinline]] void note_several(const task& t) {
    auto& types = several_[&t];
    for (const auto& out : t.outputs) types.push_back(out->type());
  }

  // Rings, whose size is a power of two.
  std::vector<const task*> tasks_;
  std::vector<tensor_type> types_;
  std::size_t first_ = 0, last_ = 0;  ///< counted on and on
  std::size_t mask_ = 0;
  std::size_t gaps_ = 0;  ///< tasks that have ended before one that came earlier
  std::unordered_map<const task*, std::vector<tensor_type>>
      several_;  ///< of those with more than one output, or none
};

}  // namespace troupe
