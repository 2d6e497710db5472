// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <source_location>
#include <string_view>

#include "troupe/tasks/clock.hpp"
#include "troupe/tasks/gradient_node.hpp"
#include "troupe/tasks/layout.hpp"
#include "troupe/tasks/memory_budget.hpp"
#include "troupe/tasks/operation.hpp"
#include "troupe/tasks/value.hpp"

namespace troupe {

class shared_run;

/// An input of a task: a view of a value, or one number.
struct operand {
  value_ref source;             ///< empty for a number
  view_ref part;                ///< empty for all of the value
  std::uint64_t immediate = 0;  ///< the number's bytes
  dtype element;                ///< of the value or the number
  /// The dtype before it was converted from a narrow float to float32.
  std::optional<dtype> written = {};
  bool asked_for = false;  ///< for the ordering: it has asked another one for the value

  /// Returns the layout of a value's elements, broadcast to what the kernel expects.
  const layout& view() const noexcept { return part ? part->layout : source->whole; }

  // For the ordering: the chain of all operands that wait for one task.
  task* reader = nullptr;  ///< null if this one waits no longer
  operand* next_reader = nullptr;
};

/// Progress of a task within the ordering that holds it.
enum class task_stage : std::uint8_t { waiting, chained, ready, early, doomed, in_flight, ended };

/// Request to cancel a task that its lane has, made by the ordering.
enum class cancellation : std::uint8_t { none, if_unneeded, always };

/// One operation to run. Made by the user's thread, owned by one actor at a time.
/// If it is destroyed before it ran, its outputs fail.
struct task final : pooled<task> {
  task(const operation& o, troupe::device d, std::source_location w) noexcept;
  task(const task&) = delete;
  task& operator=(const task&) = delete;
  ~task();

  // The fields travel from core to core by the cache line: fields that are read together lie
  // together.

  task* next = nullptr;  ///< in a list or inbox
  task* previous = nullptr;
  const operation* op;
  std::uint64_t sequence = 0;  ///< program order, given when the engine takes it
  std::uint32_t epoch = 0;     ///< the frontend's interval between two `wait_all`
  float estimate = 0;          ///< nanoseconds on one lane
  troupe::device device;       ///< the one it runs on
  std::int16_t home = -1;      ///< the number of the ordering that holds it
  std::int16_t lane = -1;      ///< the lane it is in flight on, or has to run on

  // For the ordering that holds it.
  task_stage stage : 4 = task_stage::waiting;
  bool has_credit : 1 = false;     ///< it may take `output_bytes` of memory
  bool ran_ahead : 1 = false;      ///< nobody could use its results when it was released
  bool wanted : 1 = false;         ///< somebody beyond its ordering waits for its results
  bool awaits_others : 1 = false;  ///< on the way to some use, only other orderings hold it up
  /// The injected fault. A byte of its own: lanes read it while the ordering writes
  /// beside it.
  struct {
    bool late : 1 = false;
    bool fails : 1 = false;
  } injected;
  std::int16_t source_lane = -1;  ///< the one lane that works on its unfinished inputs; -2: several
  std::int8_t priority = 0;       ///< among ready tasks, a higher one goes first
  std::atomic<cancellation> cancel = cancellation::none;
  // Early tasks look again:
  bool news_when_there : 1 = false;  ///< when it is ready, or ends
  bool news_when_read : 1 = false;   ///< when its results get another reader
  bool input_failed : 1 = false;     ///< it will not run
  bool failed = false;               ///< noted by whoever ran it
  std::uint32_t unfinished = 0;      ///< inputs whose tasks have not ended
  std::uint32_t released = 0;        ///< of these, the ones in flight
  operand* first_reader = nullptr;   ///< the inputs of other tasks that wait for this one
  operand* last_reader = nullptr;

  small_vector<value_ref, 1> outputs;
  /// Bytes of the device's memory that it will take: for its outputs, and for scratch as it runs.
  std::size_t output_bytes = 0;
  std::size_t hoarded = 0;       ///< bytes of its inputs that ran ahead, until it is released
  reference<shared_run> shared;  ///< set when other lanes may help
  const troupe::kernel* kernel = nullptr;
  std::source_location call_site;

  small_vector<operand, 2> inputs;

  // For the trace.
  ticks submitted = 0;
  ticks became_ready = 0;
  work cost;

  failure_ptr origin;  ///< why it failed, if it was the first to
  [[no_unique_address]] troupe::attributes attributes;
  // These two lie in the padding of `attributes`.
  float delay;               ///< nanoseconds to be late by, if it is
  std::uint32_t engine = 0;  ///< the id of the engine that runs it
  gradient_node_ref node;    ///< the record of how the output was computed, if there is one
  std::unique_ptr<budget_grant> budget;  ///< set when the outputs count against a memory_budget

  /// Makes the task compute a value.
  void add_output(value_ref v) {
    v->producer = this;
    if (!v->fits_inline()) output_bytes += v->bytes();
    outputs.emplace_back(std::move(v));
  }
  /// Marks the outputs as ready and releases all values. Whoever sees a ready output no longer
  /// finds the task among its holders, so its memory can be taken over at once.
  void succeed() noexcept;
  /// Makes every output fail, with `text` behind the operation's name, and releases all values.
  void fail(std::string_view text, failure::reason why = failure::reason::failed) noexcept {
    fail(text, call_site, why);
  }
  /// The same for what happened at another place in the user's code.
  void fail(std::string_view text, std::source_location place,
            failure::reason why = failure::reason::failed) noexcept;
  void fail(failure_ptr why) noexcept;
  /// Destroys its parameters; what a user's code captured must not wait as it ends.
  void drop_attributes() noexcept;
  /// Releases all values.
  void drop_values() noexcept;
  /// Returns true if a task of another ordering reads one of its outputs.
  bool read_elsewhere() const noexcept;
  /// Returns true if nobody else refers to its outputs.
  bool unneeded() const noexcept;
  /// Returns true if it is to be cancelled before it starts; for its owner.
  bool to_be_cancelled() const noexcept;
  /// Prefetches its memory, or that of its values, for the thread that will read it next.
  void prefetch() const noexcept {
    for (std::size_t line = 0; line < 5; ++line)
      __builtin_prefetch(reinterpret_cast<const char*>(this) + 64 * line);
  }
  void prefetch_values() const noexcept {
    for (const auto& in : inputs) {
      if (in.source) in.source->prefetch();
    }
    for (const auto& out : outputs) out->prefetch();
  }
};

// Six cache lines: a seventh costs what five operations of twenty cost.
static_assert(sizeof(task) <= 6 * 64);

/// Returns the place of a task among ready tasks: a higher priority goes first, then what is
/// earlier in program order.
inline std::uint64_t rank(const task& t) noexcept {
  constexpr int sequence_bits = 56;
  return static_cast<std::uint64_t>(INT8_MAX - t.priority) << sequence_bits | t.sequence;
}

using task_ptr = std::unique_ptr<task>;

/// Returns the kernel of a family for the dtype of a task's first input, or of its output: what
/// most records name as `of_input<&kernel_table::take>`.
template <auto Family>
const kernel* of_input(const task& t, const kernel_table& from) noexcept {
  return (from.*Family)(t.inputs[0].element);
}
template <auto Family>
const kernel* of_output(const task& t, const kernel_table& from) noexcept {
  return (from.*Family)(t.outputs[0]->element);
}

}  // namespace troupe
