// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "troupe/tasks/binding.hpp"

namespace troupe {

class task_stream;

/// One run of a task's kernel on a stream.
///
///     start -- the stream gets to its end -- settle
class gpu_execution final {
 public:
  explicit gpu_execution(task& t) noexcept : task_(&t) {}

  enum class started {
    on_stream,
    failed,    ///< the task has ended: an input had failed, or there was no memory
    no_memory  ///< not on the first try; the task may start again
  };

  /// Takes the memory, perhaps that of values that are spent, and puts the kernel on the stream.
  /// The inputs are there, or will be when the stream gets so far.
  started start(driver& where, stream& on, spent_values* spent = nullptr,
                bool last_try = true) noexcept;
  /// Ends the task when the stream has got behind it: its outputs are there.
  void settle() noexcept;
  /// Ends the task when the stream never will.
  void settle(std::string_view failure) noexcept {
    if (task_) task_->fail(failure);
  }
  /// Fails the task if an input of it has failed, and none before that is still to come.
  bool fails_now() noexcept;
  /// Lets the failed task go before the stream has got behind it. Returns its number there, if the
  /// whole task was put on the stream.
  std::optional<std::uint64_t> end_early() noexcept;

 private:
  started take_place(driver& where, bool last_try) noexcept;
  started put(driver& where, task_stream& on, bool last_try) noexcept;

  task* task_;                 ///< null when it was let go
  task_stream* on_ = nullptr;  ///< if the whole task was put on it
  std::uint64_t number_ = 0;   ///< the task's, there
  binding bound_;
  std::string failure_;  ///< of launching, after which parts of it may be on the stream
};

}  // namespace troupe
