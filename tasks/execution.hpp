// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "troupe/devices/driver.hpp"
#include "troupe/tasks/binding.hpp"
#include "troupe/tasks/task.hpp"
#include "troupe/tasks/trace.hpp"

namespace troupe {

/// One run of a task's kernel on the threads of a device's lanes.
///
///     prepare -- run_chunks, by any number of threads -- settle
class execution final {
 public:
  /// `since` is the time at which it ends if it cannot begin.
  execution(task& t, driver& where, ticks since = 0) noexcept
      : task_(&t), driver_(&where), ended_(since) {}

  /// Takes the memory for the outputs and describes inputs and outputs to the kernel. The inputs
  /// are there. Returns false when that settled the task: an input had failed, or there was no
  /// memory.
  bool prepare() noexcept;
  /// Returns the number of parts that the kernel divides the work into; known once it is prepared.
  std::int64_t chunks() const noexcept { return chunks_; }
  /// Runs the chunks from `first` to `last`.
  void run_chunks(std::int64_t first, std::int64_t last) noexcept;
  /// Ends the task when all chunks have run: its outputs are there, or failed.
  void settle() noexcept;

  /// Runs all of it on this thread.
  void run() noexcept {
    if (!prepare()) return;
    run_chunks(0, chunks_);
    settle();
  }

  task& subject() const noexcept { return *task_; }
  /// Returns when it ended: before anybody could see that.
  ticks ended() const noexcept { return ended_; }

 private:
  void note_failure(std::int64_t chunk) noexcept;
  bool failed() const noexcept { return failed_at_.load(std::memory_order_acquire) != none_; }

  static constexpr std::int64_t none_ = INT64_MAX;

  task* task_;
  driver* driver_;
  ticks ended_;
  binding bound_;
  std::uint32_t engine_ = 0;  ///< the task's engine
  std::int64_t chunks_ = 1;
  std::atomic<std::int64_t> failed_at_ = none_;  ///< the first chunk that failed
  std::mutex mutex_;
  std::string failure_text_;
  std::source_location failure_place_;
};

/// Runs a transfer: takes memory on the device `to`, copies with the stream and waits until the
/// copy is there. Returns when it ended: before anybody could see that.
ticks transfer(task& t, driver& to, stream& way) noexcept;

/// Begins a transfer: takes memory on the device `to` and puts the copy on the stream. Returns the
/// point behind it, or null if that settled the task.
std::unique_ptr<event> begin_transfer(task& t, driver& to, stream& way) noexcept;
/// Waits for the point of a transfer that was begun, and settles the task. Returns when it ended:
/// before anybody could see that.
ticks end_transfer(task& t, const event& point) noexcept;

/// Returns a task's event for the trace, without the lane and the times. To be called before the
/// task is settled.
task_event describe(const task& t) noexcept;

}  // namespace troupe
