// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <utility>

#include "troupe/actors/batch.hpp"

namespace troupe {

/// Place for tasks that were sent to a lane and that it has not begun. The lane takes them all when
/// it comes to them, and puts back what is left while it computes what may take long. Whatever is
/// here, the ordering can take back, from another thread. Tasks that nobody takes fail.
class assignment final : public counted<assignment>, public pooled<assignment> {
 public:
  explicit assignment(batch_ref tasks) noexcept { put(std::move(tasks)); }
  ~assignment() { take(); }

  /// Takes all tasks. Returns null if somebody else did.
  batch_ref take() noexcept {
    auto* taken = tasks_.exchange(nullptr, std::memory_order_acq_rel);
    batch_ref tasks(taken);
    if (taken) taken->release();
    return tasks;
  }
  /// Puts tasks here; only when none are.
  void put(batch_ref tasks) noexcept {
    tasks->retain();
    tasks_.store(tasks.get(), std::memory_order_release);
  }
  /// Returns the tasks without taking them, or null; only while nobody else can.
  const batch* peek() const noexcept { return tasks_.load(std::memory_order_acquire); }

 private:
  std::atomic<batch*> tasks_ = nullptr;
};

using assignment_ref = reference<assignment>;

}  // namespace troupe
