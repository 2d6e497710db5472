// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/cuda/grid.hpp"
#include "troupe/devices/kernel.hpp"

namespace troupe::cuda {

/// Reader of indices, int32 or int64, along an axis of some length, as the CPU's index_reader.
class index_source {
 public:
  static constexpr std::int64_t bad = -1;

  index_source(const array& indices, std::int64_t length, bool labels, data_fault* fault) noexcept
      : data_(indices.data),
        wide_(indices.type == int64),
        least_(labels ? 0 : -length),
        length_(length),
        fault_(fault) {}

  /// Returns the element that the index at an offset refers to. An index out of bounds is recorded
  /// as a fault.
  TROUPE_BOTH std::int64_t at(std::int64_t offset) const {
    const std::int64_t index = wide_ ? static_cast<const std::int64_t*>(data_)[offset]
                                     : static_cast<const std::int32_t*>(data_)[offset];
    if (index < least_ || index >= length_) {
      fault_->index = index;
      fault_->happened = 1;
      return bad;
    }
    return index < 0 ? index + length_ : index;
  }

 private:
  const void* data_;
  bool wide_;
  std::int64_t least_, length_;
  data_fault* fault_;
};

}  // namespace troupe::cuda
