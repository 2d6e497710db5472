// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>

#include "troupe/tasks/binding.hpp"

namespace troupe {

/// Values that tasks on one stream read and compute. Once nobody else refers to a value, tasks that
/// come behind those on the stream may take over its memory, long before the device has got so far.
/// For the stream's lane alone, and for values that no other lane computes.
class stream_values final : public spent_values {
 public:
  /// `home` is the device's memory; that of budgets, parts of it, is not passed on.
  explicit stream_values(const memory& home) noexcept : home_(&home) {}

  /// Adds a task that is on the stream now.
  void add(const task& t) noexcept;
  /// Removes one that is about to end.
  void remove(const task& t) noexcept;
  value* spent_like(const value& output) noexcept override;

 private:
  static void count_references(const task& t, std::uint32_t each) noexcept;

  const memory* home_;
  std::deque<value*> large_;  ///< outputs whose memory is worth looking for, in order
};

}  // namespace troupe
