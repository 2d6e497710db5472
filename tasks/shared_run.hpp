// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>

#include "troupe/tasks/clock.hpp"
#include "troupe/tasks/execution.hpp"
#include "troupe/tasks/reference.hpp"

namespace troupe {

/// Run of a large task by the lane that owns it and by lanes that help. The first to arrive starts
/// it; the owner and the helpers take chunks until none is left; the last to leave settles the
/// task.
///
///     untouched --claim--> claimed --start--> open --all have left--> settled
///         ^-----unclaim------/ \--close-------------------------------^
///
/// The task must exist until then; this object may outlive it.
class shared_run final : public counted<shared_run>, public pooled<shared_run> {
 public:
  /// Prepares a run by up to `lanes` lanes.
  shared_run(task& t, driver& where, int lanes) noexcept;

  /// Claims the task, so that the caller may start or close it. Returns false if another lane has
  /// claimed it.
  bool try_claim() noexcept;
  /// Claims the task likewise, but waits while another lane holds an undecided claim.
  bool claim() noexcept;
  /// Gives the claim up again.
  void unclaim() noexcept { state_.store(state::untouched, std::memory_order_release); }
  /// Prepares the task, whose inputs are ready, and lets other lanes join. Closes it if that fails.
  void start() noexcept;
  /// Marks the task as settled without a run.
  void close() noexcept { state_.store(state::over, std::memory_order_release); }

  /// Returns true once it was started or closed.
  bool opened() const noexcept { return state_.load(std::memory_order_acquire) >= state::open; }

  /// Notes that a helper will not wait for the start. Returns false if it was started or closed
  /// just now.
  bool leave_early() noexcept {
    missed_.store(true);
    return state_.load() < state::open;
  }
  /// Returns true if helpers left before the start. Call it after the start.
  bool missed_helpers() const noexcept { return missed_.load(); }

  /// Runs chunks until none is left to take, and sets `ran` to their number. Call it when the run
  /// is open or closed: once from the owner, any number of times from helpers. Returns true to the
  /// one caller that then has the task to itself, settled. Each lane, counted from 0, first takes
  /// its own stretch of chunks: so it meets the same part of memory again in the next task of this
  /// size, and reads it contiguously. Sets `until` to the end of the caller's last chunk, or of the
  /// task for the last caller. A helper that must not stay passes `leaves`, which is asked before
  /// each chunk and returns true once it should go.
  bool join(int lane, bool owner, std::int64_t& ran, ticks& until,
            bool (*leaves)() = nullptr) noexcept;

  // For who begins it alone, lets others take part, and waits for them: it is claimed by nobody.

  /// Runs chunks of an open run until none is left to take, and returns their number.
  std::int64_t take_chunks(int lane, bool (*leaves)() = nullptr) noexcept;
  /// Settles the task, once all have returned, and returns when it ended.
  ticks complete() noexcept;

  /// Returns true from the moment the owner joins until the task is settled. A lane whose `join`
  /// has returned waits for no more than the chunks that other lanes are running.
  bool ending() const noexcept {
    return owner_joined_.load(std::memory_order_acquire) &&
           state_.load(std::memory_order_acquire) != state::over;
  }

  /// Returns true if there are chunks that nobody has taken.
  bool has_chunks_left() const noexcept;
  /// Returns true if only lanes' threads may run the task.
  bool lanes_only() const noexcept { return lanes_only_; }
  /// Returns the task; only for a caller that has it to itself or has claimed it.
  task& subject() const noexcept { return run_.subject(); }
  /// Returns the number of chunks, and the task's description for the trace; only once it is open.
  std::int64_t chunks() const noexcept { return run_.chunks(); }
  const task_event& description() const noexcept { return description_; }

 private:
  enum class state : std::uint8_t { untouched, claimed, open, over };

  struct stretch {
    std::atomic<std::int64_t> next = 0;  ///< next chunk to take
    std::int64_t end = 0;
  };

  std::int64_t run_stretch(stretch& of, bool (*leaves)()) noexcept;

  static constexpr int most_stretches_ = 16;

  execution run_;
  task_event description_;
  std::atomic<state> state_ = state::untouched;
  std::atomic<bool> owner_joined_ = false;
  std::atomic<bool> missed_ = false;
  const bool lanes_only_;
  int count_;
  stretch stretches_[most_stretches_];
  std::atomic<std::int64_t> done_ = 0;  ///< chunks that have run, plus one once the owner has left
};

}  // namespace troupe
