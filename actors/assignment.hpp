// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>

#include "troupe/tasks/task.hpp"

namespace troupe {

/// Ordered list of tasks that are sent to a lane in one message. The lane takes each when it comes
/// to it; until then, the ordering can take it back, from another thread. Owns the tasks that
/// nobody has taken: those left when it is destroyed fail, so an undelivered message leaves nobody
/// waiting forever.
class assignment final : public counted<assignment>, public pooled<assignment> {
 public:
  assignment() noexcept = default;
  ~assignment() {
    while (pop_front()) {}
    while (auto* more = first_.next) {
      first_.next = more->next;
      delete more;
    }
  }

  /// Adds a task; before it is sent.
  void push_back(task_ptr owned) {
    const auto at = size_ % chunk::length;
    if (at == 0 && size_ > 0) last_ = last_->next = new chunk;
    last_->tasks[at] = owned.release();
    ++size_;
  }
  std::size_t size() const noexcept { return size_; }

  /// Takes the next task, for the lane. Returns null when there are no more.
  task_ptr pop_front() noexcept {
    auto* t = claimed_ ? std::exchange(claimed_, nullptr) : claim_next();
    // The next task can be prefetched only once nobody else can take it. Behind a longer task it
    // stays free: there it would wait long if that task's estimate was wrong.
    if (t && t->estimate < quick) claimed_ = claim_next();
    if (claimed_) claimed_->prefetch_values();
    if (next_ < size_) {
      if (const auto* later = slot(reading_->tasks[next_ % chunk::length]).load())
        later->prefetch();
    }
    return task_ptr(t);
  }
  /// Takes task number `i`, for the ordering. Returns null if it was taken before.
  task* take_back(std::size_t i) noexcept {
    auto* c = &first_;
    for (; i >= chunk::length; i -= chunk::length) c = c->next;
    return claim(c->tasks[i]);
  }

  /// Calls `f` for the tasks that nobody has taken; only while nobody takes any.
  template <class F>
  void for_each(F&& f) const {
    if (claimed_) f(std::as_const(*claimed_));
    const auto* c = reading_;
    for (auto i = next_; i < size_; ++i) {
      const auto at = i % chunk::length;
      if (at == 0 && i > next_) c = c->next;
      if (c->tasks[at]) f(std::as_const(*c->tasks[at]));
    }
  }

 private:
  struct chunk : pooled<chunk> {
    static constexpr std::size_t length = 31;
    task* tasks[length];  // null: taken. Those behind the end are not set.
    chunk* next = nullptr;
  };

  static constexpr float quick = 5'000;  // nanoseconds

  static std::atomic_ref<task*> slot(task*& of) noexcept { return std::atomic_ref(of); }
  static task* claim(task*& from) noexcept {
    return slot(from).exchange(nullptr, std::memory_order_acq_rel);
  }
  task* claim_next() noexcept {
    task* t = nullptr;
    while (!t && next_ < size_) {
      t = claim(reading_->tasks[next_ % chunk::length]);
      if (++next_ % chunk::length == 0 && next_ < size_) reading_ = reading_->next;
    }
    return t;
  }

  std::size_t size_ = 0;
  chunk* last_ = &first_;
  // For the lane.
  std::size_t next_ = 0;
  chunk* reading_ = &first_;
  task* claimed_ = nullptr;  ///< the next task, if it is no longer in its slot
  chunk first_;
};

using assignment_ref = reference<assignment>;

}  // namespace troupe
