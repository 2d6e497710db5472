// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include "troupe/devices/layout/loop_nest.hpp"

namespace troupe {

/// Returns what is wrong with an index, or a label, out of the bounds of an axis of some length.
inline std::string out_of_bounds(std::int64_t index, int axis, std::int64_t length, bool label) {
  if (label && length > 0)
    return "label " + std::to_string(index) + " is none of the " + std::to_string(length) +
           " classes, which count from 0";
  return "index " + std::to_string(index) + " is out of bounds for axis " + std::to_string(axis) +
         " with size " + std::to_string(length);
}

/// Reader of indices, int32 or int64, along an axis of some length, in row-major order. Negative
/// ones count from the end, unless they are labels of classes.
class index_reader {
 public:
  index_reader(const array& indices, int axis, std::int64_t length, bool labels = false) noexcept
      : indices_(indices),
        axis_(axis),
        length_(length),
        least_(labels ? 0 : -length),
        contiguous_(indices.contiguous()) {
    if (!contiguous_) axes_ = merge_axes({&indices, 1});
  }

  /// Returns index number `i`. Throws std::out_of_range if it is out of bounds.
  std::int64_t operator[](std::int64_t i) const {
    const auto at = contiguous_ ? i : axes_.offset(0, i);
    const std::int64_t index = indices_.type == int32 ? indices_.as<const std::int32_t>()[at]
                                                      : indices_.as<const std::int64_t>()[at];
    if (index < least_ || index >= length_) refuse(index);
    return index < 0 ? index + length_ : index;
  }

 private:
  [[noreturn, gnu::cold]] void refuse(std::int64_t index) const {
    throw std::out_of_range(out_of_bounds(index, axis_, length_, least_ == 0));
  }

  const array& indices_;
  int axis_;
  std::int64_t length_;
  std::int64_t least_;
  bool contiguous_;
  loop_nest axes_;
};

}  // namespace troupe
