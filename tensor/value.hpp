// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "troupe/devices/memory.hpp"
#include "troupe/tensor/error.hpp"
#include "troupe/tensor/layout.hpp"
#include "troupe/tensor/node_pool.hpp"
#include "troupe/tensor/reference.hpp"
#include "troupe/tensor/tensor_type.hpp"

namespace troupe {

struct task;

/// The immutable result of one task: its type and, once it is there, its elements (row-major, without gaps).
///
///     pending --succeed--> ready
///        \-------fail----> failed
class value final : public counted<value>, public pooled<value> {
 public:
  explicit value(const tensor_type& t) noexcept : type(t), whole(t.dims) {}

  const tensor_type type;
  const layout whole;          ///< of all its elements
  std::uint32_t engine = 0;    ///< the id of the engine that computes it
  std::uint64_t sequence = 0;  ///< of the task that computes it, given when the engine takes it

  bool pending() const noexcept { return state_.load(std::memory_order_acquire) == state::pending; }
  bool ready() const noexcept { return state_.load(std::memory_order_acquire) == state::ready; }
  bool failed() const noexcept { return state_.load(std::memory_order_acquire) == state::failed; }

  /// The elements: writable by the task that computes the value, readable once it is ready.
  void* data() const noexcept { return data_; }
  /// Why it failed; only of a failed value.
  const failure_ptr& why() const noexcept { return failure_; }

  // For the task that computes it.

  /// Takes memory for the elements. Values of a few bytes on a CPU device lie in the object itself.
  /// Throws std::bad_alloc.
  void allocate(const std::shared_ptr<memory>& from);
  /// Takes over the memory of a value that nobody needs any more.
  void reuse(value& other) noexcept;
  /// True when `allocate` will take no memory of the device.
  bool fits_inline() const noexcept {
    return type.place.kind == device_kind::cpu && type.bytes() <= inline_bytes_;
  }
  bool owns_buffer() const noexcept { return static_cast<bool>(buffer_); }
  void succeed() noexcept { state_.store(state::ready, std::memory_order_release); }
  void fail(failure_ptr why) noexcept;

  // For the ordering of the place that computes it.

  task* producer = nullptr;  ///< valid for that ordering alone, while the value is pending
  std::int16_t home = -1;    ///< which ordering that is

 private:
  enum class state : std::uint8_t { pending, ready, failed };

  static constexpr std::size_t inline_bytes_ = 32;

  std::atomic<state> state_ = state::pending;
  void* data_ = nullptr;
  buffer buffer_;
  failure_ptr failure_;
  alignas(16) std::byte inline_[inline_bytes_];
};

using value_ref = reference<value>;

}  // namespace troupe
