// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>

#include "troupe/tasks/clock.hpp"
#include "troupe/tasks/execution.hpp"
#include "troupe/tasks/reference.hpp"

namespace troupe {

/// The run of a large task by the lane that owns it and by others that help. Whoever comes first
/// starts it; the owner and the helpers take chunks until none is left; the last of them to leave
/// settles the task.
///
///     untouched --claim--> claimed --start--> open --all have left--> settled
///         ^-----unclaim------/ \--close-------------------------------^
///
/// The task must stay until then; the object itself may outlive it.
class shared_run final : public counted<shared_run>, public pooled<shared_run> {
 public:
  /// To be run by up to so many lanes.
  shared_run(task& t, driver& where, int lanes) noexcept;

  /// The caller may start it or close it. False if somebody else has.
  bool try_claim() noexcept;
  /// The same, but waits while somebody else has claimed it and not made up his mind.
  bool claim() noexcept;
  /// Leaves it to others again.
  void unclaim() noexcept { state_.store(state::untouched, std::memory_order_release); }
  /// Prepares the task, whose inputs are there, and lets others join. A task that fails at that is
  /// closed.
  void start() noexcept;
  /// The task was settled without running.
  void close() noexcept { state_.store(state::over, std::memory_order_release); }

  /// True once it was started or closed.
  bool opened() const noexcept { return state_.load(std::memory_order_acquire) >= state::open; }

  /// Runs chunks until none is left to take; `ran` learns how many. To be called when it is open or
  /// closed: once by the owner, by others any number of times. True for the one caller that has the
  /// task to itself then: it is settled. Each lane, counted from 0, first takes its own stretch of
  /// chunks: so it meets the same part of the memory in the next task of this size, and reads on in
  /// one piece. `until` learns when the caller's last chunk ended, or the task for that one.
  bool join(int lane, bool owner, std::int64_t& ran, ticks& until) noexcept;

  /// True from when the owner joins until the task is settled, which is then a matter of a chunk at
  /// most.
  bool ending() const noexcept {
    return owner_joined_.load(std::memory_order_acquire) &&
           state_.load(std::memory_order_acquire) != state::over;
  }

  /// The task; for who has it to himself, or has claimed it.
  task& subject() const noexcept { return run_.subject(); }
  /// How many chunks there are, and what the trace says of the task; once it is open.
  std::int64_t chunks() const noexcept { return run_.chunks(); }
  const task_event& description() const noexcept { return description_; }

 private:
  enum class state : std::uint8_t { untouched, claimed, open, over };

  struct stretch {
    std::atomic<std::int64_t> next = 0;  ///< the chunk to take next
    std::int64_t end = 0;
  };

  std::int64_t run_stretch(stretch& of) noexcept;

  static constexpr int most_stretches_ = 16;

  execution run_;
  task_event description_;
  std::atomic<state> state_ = state::untouched;
  std::atomic<bool> owner_joined_ = false;
  int count_;
  stretch stretches_[most_stretches_];
  std::atomic<std::int64_t> done_ = 0;  ///< chunks that have run, and the owner's leave
};

}  // namespace troupe
