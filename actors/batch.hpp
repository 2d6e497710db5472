// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/tasks/task.hpp"

namespace troupe {

/// Ordered list of tasks that travel in one message. Owns the tasks: those left when it is
/// destroyed fail, so an undelivered message leaves nobody waiting forever.
class batch final : public counted<batch>, public pooled<batch> {
 public:
  batch() noexcept = default;
  ~batch() {
    while (pop_front()) {}
  }

  void push_back(task_ptr owned) noexcept {
    auto* t = owned.release();
    t->next = nullptr;
    (last_ ? last_->next : first_) = t;
    last_ = t;
    ++size_;
  }

  task_ptr pop_front() noexcept {
    if (!first_) return nullptr;
    auto* t = std::exchange(first_, first_->next);
    if (first_) {
      if (first_->next) first_->next->prefetch();
      first_->prefetch_values();
    } else {
      last_ = nullptr;
    }
    --size_;
    return task_ptr(t);
  }

  /// Returns the first task; the others follow by `next`.
  const task* front() const noexcept { return first_; }
  task* front() noexcept { return first_; }
  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }

 private:
  task* first_ = nullptr;
  task* last_ = nullptr;
  std::size_t size_ = 0;
};

using batch_ref = reference<batch>;

}  // namespace troupe
