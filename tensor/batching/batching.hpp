// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "troupe/tasks/engine.hpp"
#include "troupe/tensor/batching/batch_rules.hpp"
#include "troupe/tensor/tensor.hpp"

namespace troupe {

/// Thrown inside a function that cannot be run once for all elements of a batch: it is called for
/// each of them instead.
struct needs_loop {};

/// Engine that runs each task for all elements of a batch at once. A function that is mapped sees
/// placeholders for one element: their shapes are those of one element, and nobody can read them.
/// Behind each stands an array with the batch as its first axis. Tensors from outside are the same
/// for all elements.
class batching final : public engine {
 public:
  /// Prepares to run what would run on an engine for `count` elements. `where` is the line of the
  /// function that is mapped.
  batching(const engine& of, std::int64_t count, caller where);
  ~batching() override;

  /// Returns the batching of this thread, or null if it maps nothing.
  static batching* active() noexcept { return active_; }
  /// Returns the innermost batching of this thread that one of the tensors is a placeholder of;
  /// null if there is none.
  static batching* owner(std::span<const tensor* const> some) noexcept;
  /// Returns an engine as this thread's batching that it is; null if it is none.
  static batching* of(const engine& e) noexcept {
    for (auto* b = active_; b; b = b->before_) {
      if (b->id() == e.id()) return b;
    }
    return nullptr;
  }
  /// Notes the gradient node of an input of a task, whose operands do not hold it, if this thread
  /// maps a function.
  static void note(const task& t, std::size_t input, const gradient_node_ref& node) {
    if (active_) note_input(t, input, node);
  }
  /// Forgets what was noted of a task that runs on another engine.
  static void forget_notes(const task& t) noexcept;
  /// Throws `needs_loop` if this thread maps a function.
  static void need_loop() {
    if (active_) throw needs_loop{};
  }

  /// Scope in which the thread's operations on placeholders are run for the whole batch.
  class scope {
   public:
    explicit scope(batching& b) noexcept : of_(b) {
      b.before_ = active_;
      active_ = &b;
    }
    scope(const scope&) = delete;
    scope& operator=(const scope&) = delete;
    ~scope();

   private:
    batching& of_;
  };

  /// Returns the placeholder for one element of an array, whose first axis is the batch.
  tensor argument(const tensor& whole);
  /// Returns a result of the function for all elements, with the batch as its first axis.
  tensor result(const tensor& x, caller where);

  void submit(task_ptr t) override;
  bool wait(const value_ref& v, const wait_limit& limit) override;
  void wait_all() override {}
  void cancel_all() override {}
  trace_log trace(ticks) override { return {}; }

 private:
  /// Array that stands behind a placeholder.
  struct array {
    value_ref placeholder;
    tensor whole;
    bool batched;
  };

  static void note_input(const task& t, std::size_t input, const gradient_node_ref& node);
  /// Lets go of arrays whose placeholders nobody holds any more.
  void drop_unused();
  /// Gives elements that a gradient brought to this engine, as constants, to the original one.
  void adopt(value& v) const noexcept;
  /// Returns what stands behind an input of a task.
  batch_input seen(const operand& in, const gradient_node_ref& node);
  /// Returns the view of a whole array that a placeholder's view stands for.
  static tensor part_of(array& from, const layout& view);

  static inline thread_local constinit batching* active_ = nullptr;

  std::uint32_t original_;
  std::int64_t count_;
  caller where_;
  batching* before_ = nullptr;
  std::unordered_map<const value*, array> arrays_;
  std::size_t next_drop_ = 0;  ///< number of arrays at which to look for unused ones
};

}  // namespace troupe
