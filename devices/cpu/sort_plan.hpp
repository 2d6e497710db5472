// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "troupe/devices/array.hpp"
#include "troupe/devices/layout/loop_nest.hpp"

namespace troupe::cpu_kernels {

/// Division of sorts along the last axis. Rows that fit the cache are sorted by one thread each;
/// longer ones, some at once, are shared out and sorted digit by digit.
struct sort_plan {
  std::int64_t rows, length;
  std::int64_t rows_per_chunk = 1;  ///< if one thread sorts a row
  std::int64_t shares = 0;          ///< of a row; 0: one thread sorts it
  std::int64_t rows_at_once = 1;    ///< if it is shared out

  explicit sort_plan(const array& in) noexcept;

  bool shared() const noexcept { return shares > 0; }
  /// Returns the steps of one phase.
  std::int64_t width() const noexcept { return rows_at_once * shares; }
  /// Returns the number of chunks, for rows that are shared out in so many phases.
  std::int64_t chunks(std::int64_t phases) const noexcept;
};

/// Rows of an array along its last axis.
class sort_rows {
 public:
  explicit sort_rows(const array& x) noexcept
      : axes_(merge_axes({&x, 1}, ~(std::uint32_t{1} << (x.rank - 1)))),
        data_(x.data),
        step_(x.strides[x.rank - 1]) {}

  template <class T>
  const T* begin(std::int64_t row) const noexcept {
    return static_cast<const T*>(data_) + axes_.offset(0, row);
  }
  std::int64_t step() const noexcept { return step_; }

 private:
  loop_nest axes_;
  const void* data_;
  std::int64_t step_;
};

}  // namespace troupe::cpu_kernels
