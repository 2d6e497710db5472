// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

#include "troupe/devices/driver.hpp"
#include "troupe/tensor/task.hpp"
#include "troupe/tensor/trace.hpp"

namespace troupe {

/// One run of a task's kernel on a CPU device, by one thread or by several that share its chunks:
///
///     prepare -- open -- join by any number of threads -- the one that ends the last chunk settles the task
///
/// The task must stay until then; the object itself may outlive it.
class execution final : public counted<execution>, public pooled<execution> {
 public:
  execution(task& t, driver& where) noexcept : task_(&t), driver_(&where) {}

  /// Takes the memory for the outputs and describes inputs and outputs to the kernel. The inputs are there.
  /// False when the task is settled by that: an input had failed, or there was no memory.
  bool prepare() noexcept;

  /// Runs all of it on this thread and settles the task.
  void run() noexcept;

  /// Lets other threads join.
  void open() noexcept;
  /// Marks a task that was settled without running, so that nobody waits to join.
  void close() noexcept { next_.store(over_, std::memory_order_release); }
  bool opened() const noexcept { return next_.load(std::memory_order_acquire) >= 0; }
  /// Runs chunks until none is left to take. `ran` learns how many. True for the one caller that ended the last
  /// chunk and so settled the task.
  bool join(std::int64_t& ran) noexcept;
  /// The task; only for the caller that settled it, and before it was opened.
  task& subject() const noexcept { return *task_; }
  /// How many chunks there are, and what the trace says of the task; once it is open.
  std::int64_t chunks() const noexcept { return chunks_; }
  const task_event& description() const noexcept { return description_; }

 private:
  static constexpr std::int64_t not_open_ = -1;
  static constexpr std::int64_t over_ = std::int64_t{1} << 60;

  void run_chunks(std::int64_t first, std::int64_t last) noexcept;
  void settle() noexcept;
  void note_failure(const std::string& text) noexcept;

  task* task_;
  driver* driver_;
  small_vector<array, 2> inputs_;
  small_vector<array, 1> outputs_;
  kernel_args args_;
  buffer scratch_;
  task_event description_;
  std::uint32_t engine_ = 0;  ///< that the task belongs to
  std::int64_t chunks_ = 1;
  std::atomic<std::int64_t> next_ = not_open_;
  std::atomic<std::int64_t> done_ = 0;
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;
  std::string failure_text_;
};

/// Runs a transfer: takes memory on the device `to`, has the stream copy and waits until the copy is there.
void transfer(task& t, driver& to, stream& way) noexcept;

/// What the trace says of a task: all but where and when it ran. To be taken before it is settled.
task_event describe(const task& t) noexcept;

}  // namespace troupe
