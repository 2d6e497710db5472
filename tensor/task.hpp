// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <source_location>

#include "troupe/tensor/clock.hpp"
#include "troupe/tensor/operation.hpp"
#include "troupe/tensor/value.hpp"
#include "troupe/tensor/view.hpp"

namespace troupe {

class execution;

/// An input of a task: a view of a value, or one number.
struct operand {
  value_ref source;             ///< empty for a number
  view_ref part;                ///< empty for all of the value
  std::uint64_t immediate = 0;  ///< the number's bytes
  dtype element;                ///< of the value or the number

  /// How the elements lie; of a value only. Broadcast to what the kernel expects.
  const layout& view() const noexcept { return part ? part->where : source->whole; }

  // For the ordering: the chain of all operands that wait for one task.
  task* reader = nullptr;
  operand* next_reader = nullptr;
};

/// One operation to run. Made by the user's thread, owned by one actor at a time.
/// If it is destroyed before it ran, its outputs fail.
struct task final : pooled<task> {
  task(const operation& o, device d, std::source_location w) noexcept;
  task(const task&) = delete;
  task& operator=(const task&) = delete;
  ~task();

  // What every actor looks at comes first: the fields travel from core to core.
  task* next = nullptr;  ///< in a list or inbox
  const operation* op;
  const cpu_kernel* kernel = nullptr;
  std::uint64_t sequence = 0;    ///< program order
  std::uint32_t epoch = 0;       ///< the frontend's interval between two `wait_all`
  float estimate = 0;            ///< nanoseconds on one lane
  std::size_t output_bytes = 0;  ///< that its outputs will take of the device's memory
  device place;                  ///< where it runs

  // For the ordering that holds it.
  enum class stage : std::uint8_t { waiting, chained, ready, in_flight, ended };
  stage at = stage::waiting;
  std::int16_t lane = -1;         ///< where it is in flight, or has to run
  std::int16_t source_lane = -1;  ///< the one lane that works on its unfinished inputs; -2: several
  std::uint32_t unfinished = 0;   ///< inputs whose tasks have not ended
  std::uint32_t released = 0;     ///< of these, the ones in flight
  bool has_credit = false;        ///< it may take `output_bytes` of memory

  small_vector<operand, 2> inputs;
  small_vector<value_ref, 1> outputs;
  std::source_location where;
  work cost;
  failure_ptr origin;  ///< why it failed, if it was the first to

  // For the trace.
  ticks submitted = 0;
  ticks became_ready = 0;

  // For the ordering that holds it.
  operand* first_reader = nullptr;  ///< the inputs of other tasks that wait for this one
  operand* last_reader = nullptr;
  task* previous_held = nullptr;  ///< in the list of tasks not released yet
  task* next_held = nullptr;
  task* previous_chained = nullptr;  ///< in the list of tasks that may follow on one lane
  task* next_chained = nullptr;
  reference<execution> shared;  ///< set when other lanes may help

  attributes given;

  /// Makes the task compute a value.
  void add_output(value_ref v) {
    if (!v->fits_inline()) output_bytes += v->bytes();
    outputs.emplace_back(std::move(v));
  }
  /// Makes every output fail, with `text` behind the operation's name, and lets go of all values.
  void fail(const std::string& text, failure::reason why = failure::reason::failed) noexcept;
  void fail(failure_ptr why) noexcept;
  /// Lets go of all values.
  void drop_values() noexcept;
  /// Has the memory brought near for the thread that will look at it next.
  void prefetch() const noexcept {
    for (std::size_t line = 0; line < 5; ++line)
      __builtin_prefetch(reinterpret_cast<const char*>(this) + 64 * line);
  }
};

using task_ptr = std::unique_ptr<task>;

}  // namespace troupe
