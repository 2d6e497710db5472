// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "troupe/actors/memory_credit.hpp"
#include "troupe/actors/submission_window.hpp"
#include "troupe/actors/waiting_scope.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tasks/wait_watch.hpp"

namespace troupe {

/// Gate for data that client threads bring. A thread waits here while its data do not fit under the
/// memory limit of their device and as many tasks as were submitted before it are still to end:
/// these may free memory. A quarter of the limit is left to the results of tasks. Thread-safe.
class data_gate {
 public:
  /// Takes credit for `bytes`, which the caller gives back once they are allocated. Waits for it
  /// only if it `may_wait`. Throws `over_limit` if a strict limit leaves no room.
  void enter(memory_credit& credit, std::size_t bytes, const submission_window& tasks,
             bool may_wait) {
    const auto before = tasks.entered();
    if (credit.take(bytes, credit.limit() / 4)) return;
    if (may_wait && !tasks.has_seen(before)) wait(credit, bytes, tasks, before);
    else take_last(credit, bytes);
  }

  /// Lets waiting threads look again: memory was freed, or tasks have ended.
  void look_again() noexcept {
    if (waiting_.load() == 0) return;
    std::lock_guard lock(mutex_);
    changed_.notify_all();
  }

  /// Returns the number of threads that wait.
  int waiting() const noexcept { return waiting_.load(); }

 private:
  void wait(memory_credit& credit, std::size_t bytes, const submission_window& tasks,
            std::uint64_t before) {
    std::unique_lock lock(mutex_);
    const waiting_scope counted(waiting_);
    bool taken = false;
    wait_watch::wait(changed_, lock, [&] {
      taken = credit.take(bytes, credit.limit() / 4);
      return taken || tasks.has_seen(before);
    });
    if (!taken) take_last(credit, bytes);
  }

  /// Takes the credit of data that no task before them makes room for.
  static void take_last(memory_credit& credit, std::size_t bytes) {
    if (credit.take(bytes)) return;
    if (credit.strict()) throw over_limit(bytes, credit.taken(), credit.limit());
    credit.force(bytes);
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<int> waiting_ = 0;
};

}  // namespace troupe
