// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "troupe/devices/memory.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tasks/layout.hpp"
#include "troupe/tasks/node_pool.hpp"
#include "troupe/tasks/reference.hpp"
#include "troupe/tasks/tensor_type.hpp"

namespace troupe {

class event;
struct stream_position;
struct task;
struct wait_limit;

void wake_watching_threads(const void* object) noexcept;

/// Immutable result of one task: its type and, once ready, its elements (row-major, without gaps).
///
///     pending --succeed--> ready
///        \-------fail----> failed
///
/// A pending value is *watched* while threads sleep until it settles: only then does settling wake
/// anybody.
class value final : public counted<value>, public pooled<value> {
 public:
  explicit value(const tensor_type& t) noexcept : value(t.element, t.device, t.dims) {}
  value(dtype e, troupe::device d, const shape& dims) noexcept
      : element(e), device(d), whole(dims) {
    if (made_on_stream()) point_ = nullptr;
  }
  ~value() {
    forget();
    if (made_on_stream() && point_) drop_point();
  }

  // The fields travel from core to core by the cache line: the first line has all that small values
  // need.

  const dtype element;
  const troupe::device device;
  std::int16_t home = -1;    ///< number of the owning ordering
  std::uint32_t engine = 0;  ///< id of the engine that computes it
  /// Number of the task that computes it, given when the engine takes the task.
  std::uint64_t sequence = 0;
  /// Task that computes it; for the owning ordering alone, while the value is pending.
  task* producer = nullptr;
  float estimate = 0;  ///< nanoseconds that the task will take

 private:
  enum class state : std::uint8_t { pending, watched, ready, failed };
  enum class kept : std::uint8_t { nothing, buffer, lent, failure };
  static constexpr std::size_t inline_bytes_ = 16;

  mutable std::atomic<state> state_ = state::pending;
  kept kept_ = kept::nothing;
  std::atomic<bool> read_elsewhere_ = false;
  void* data_ = nullptr;
  union {
    alignas(16) std::byte inline_[inline_bytes_];
    stream_position* point_;  // of a value that is made on a stream; owned
  };

 public:
  const layout whole;  ///< layout of all its elements
  /// Number of references that tasks on the stream of its GPU hold; for the stream's lane alone.
  std::uint32_t on_stream = 0;

  const shape& dims() const noexcept { return whole.dims; }
  tensor_type type() const noexcept { return {whole.dims, element, device}; }
  std::size_t bytes() const noexcept {
    return static_cast<std::size_t>(whole.dims.size()) * size_of(element);
  }

  bool pending() const noexcept { return state_.load(std::memory_order_acquire) < state::ready; }
  bool ready() const noexcept { return state_.load(std::memory_order_acquire) == state::ready; }
  bool failed() const noexcept { return state_.load(std::memory_order_acquire) == state::failed; }

  /// Notes that a task of another ordering reads it.
  void note_reader_elsewhere() noexcept { read_elsewhere_.store(true, std::memory_order_relaxed); }
  bool read_elsewhere() const noexcept { return read_elsewhere_.load(std::memory_order_relaxed); }

  /// Blocks the calling thread until it is ready or failed.
  void wait() const;
  /// Does the same, but returns false if the limit comes first.
  bool wait(const wait_limit& limit) const;

  /// Returns the elements: writable by the task that computes the value, readable once it is ready.
  void* data() const noexcept { return data_; }
  /// Returns the position on a stream of its GPU at which it is computed, or null if the stream's
  /// lane was not asked for it. Only for callers that were notified of the point.
  const stream_position* point() const noexcept { return made_on_stream() ? point_ : nullptr; }
  /// Reason of the failure; only of a failed value.
  const failure_ptr& why() const noexcept { return failure_; }

  // For the task that computes the value.

  /// Allocates memory for the elements. Values of a few bytes on a CPU device are stored in the
  /// object itself. Throws std::bad_alloc.
  void allocate(const std::shared_ptr<memory>& from);
  /// Takes over the memory of a value that is no longer needed.
  void reuse(value& other) noexcept;
  /// Keeps memory of the program's, which no other value takes over.
  void adopt(buffer lent) noexcept;
  /// Gives the memory that it took back, before another try.
  void drop_memory() noexcept { forget(); }
  /// Sets its position on a stream of its GPU; once, while it is pending and has memory.
  void set_point(std::shared_ptr<const event> behind);
  /// Returns true if `allocate` will take no memory of the device.
  bool fits_inline() const noexcept {
    return !made_on_stream() && device.traits().host_memory && bytes() <= inline_bytes_;
  }
  /// Returns true if it has memory that another value could take over and none has yet.
  bool owns_buffer() const noexcept { return kept_ == kept::buffer && data_; }
  /// Returns true if it has memory of `all` itself, not of a part that somebody counts.
  bool lies_in(const memory& all) const noexcept { return owns_buffer() && buffer_.home() == &all; }
  /// Returns the memory that its elements are lent from; null if they are not lent.
  const memory* lender() const noexcept { return kept_ == kept::lent ? buffer_.home() : nullptr; }
  /// Returns true if all references but `others` are those of tasks on its GPU's stream: what comes
  /// behind them there may take over its memory.
  bool spent_on_stream(std::uint32_t others) const noexcept {
    return owns_buffer() && references() == on_stream + others;
  }
  void succeed() noexcept { settle(state::ready); }
  void fail(failure_ptr why) noexcept;

  /// Prefetches its memory into the cache of the calling thread.
  void prefetch() const noexcept {
    for (std::size_t line = 0; line < 3; ++line)
      __builtin_prefetch(reinterpret_cast<const char*>(this) + 64 * line);
  }

 private:
  void settle(state s) noexcept {
    if (state_.exchange(s, std::memory_order_acq_rel) == state::watched)
      wake_watching_threads(this);
  }
  bool made_on_stream() const noexcept { return !device.traits().synchronous; }
  void drop_point() noexcept;
  void keep(buffer b) noexcept;
  void forget() noexcept;

  union {
    buffer buffer_;
    failure_ptr failure_;
  };
};

using value_ref = reference<value>;

}  // namespace troupe
