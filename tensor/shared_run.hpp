// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>

#include "troupe/tensor/execution.hpp"
#include "troupe/tensor/reference.hpp"

namespace troupe {

/// The run of a large task by the lane that owns it and by others that help. Whoever comes first starts it; the
/// owner and the helpers take chunks until none is left; the last of them to leave settles the task.
///
///     untouched --claim--> claimed --start--> open --all have left--> settled
///         ^-----unclaim------/ \--close-------------------------------^
///
/// The task must stay until then; the object itself may outlive it.
class shared_run final : public counted<shared_run>, public pooled<shared_run> {
 public:
  shared_run(task& t, driver& where) noexcept : run_(t, where) {}

  /// The caller may start it or close it. False if somebody else has.
  bool try_claim() noexcept;
  /// The same, but waits while somebody else has claimed it and not made up his mind.
  bool claim() noexcept;
  /// Leaves it to others again.
  void unclaim() noexcept { next_.store(untouched_, std::memory_order_release); }
  /// Prepares the task, whose inputs are there, and lets others join. A task that fails at that is closed.
  void start() noexcept;
  /// The task was settled without running.
  void close() noexcept { next_.store(over_, std::memory_order_release); }

  /// True once it was started or closed.
  bool opened() const noexcept { return next_.load(std::memory_order_acquire) >= 0; }

  /// Runs chunks until none is left to take; `ran` learns how many. To be called when it is open or closed: once by
  /// the owner, by others any number of times. True for the one caller that has the task to itself then: it is settled.
  bool join(bool owner, std::int64_t& ran) noexcept;

  /// The task; for who has it to himself, or has claimed it.
  task& subject() const noexcept { return run_.subject(); }
  /// How many chunks there are, and what the trace says of the task; once it is open.
  std::int64_t chunks() const noexcept { return run_.chunks(); }
  const task_event& description() const noexcept { return description_; }

 private:
  static constexpr std::int64_t untouched_ = -1, claimed_ = -2;
  static constexpr std::int64_t over_ = std::int64_t{1} << 60;

  execution run_;
  task_event description_;
  std::atomic<std::int64_t> next_ = untouched_;  ///< the chunk to take next
  std::atomic<std::int64_t> done_ = 0;           ///< chunks that have run, and the owner's leave
};

}  // namespace troupe
