// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "troupe/tensor/scalar.hpp"
#include "troupe/tensor/tensor.hpp"

/// Elements moved around, repeated, or surrounded by others. They keep their dtype. All of these
/// throw for axes that are not there and for more elements than can be counted.

namespace troupe {

/// Moved by so many positions along an axis, or among all elements in row-major order; what leaves
/// at one end comes in at the other.
tensor roll(const tensor& x, std::int64_t shift, optional_axis axis = {},
            caller where = caller::current());
/// Moved along several axes. One shift counts for all axes, one axis for all shifts; otherwise
/// throws unless there are as many shifts as axes.
tensor roll(const tensor& x, std::span<const std::int64_t> shifts, std::span<const int> over,
            caller where = caller::current());
inline tensor roll(const tensor& x, std::initializer_list<std::int64_t> shifts,
                   std::initializer_list<int> over, caller where = caller::current()) {
  return roll(x, std::span(shifts.begin(), shifts.size()), std::span(over.begin(), over.size()),
              where);
}

/// Each element so many times in a row along an axis, or among all; then the result has one axis.
/// Throws for a negative count.
tensor repeat(const tensor& x, std::int64_t count, optional_axis axis = {},
              caller where = caller::current());

/// The whole so many times in a row along each axis. The shorter of the counts and the shape is
/// filled up with ones in front. Throws for negative counts.
tensor tile(const tensor& x, std::span<const std::int64_t> counts,
            caller where = caller::current());
inline tensor tile(const tensor& x, std::initializer_list<std::int64_t> counts,
                   caller where = caller::current()) {
  return tile(x, std::span(counts.begin(), counts.size()), where);
}
inline tensor tile(const tensor& x, const shape& counts, caller where = caller::current()) {
  return tile(x, std::span(counts.begin(), counts.end()), where);
}

/// Joined one below the other, vectors as rows; the other axes must be equal.
tensor vstack(const std::vector<tensor>& parts, caller where = caller::current());
/// Joined side by side: along the second axis, vectors along their only one.
tensor hstack(const std::vector<tensor>& parts, caller where = caller::current());

/// Surrounded by a number: widths[i] says how many there are before and behind the elements along
/// axis i; one pair counts for all axes. Throws for negative widths and for a number beyond the
/// dtype's range; a fraction that it does not hold is dropped.
tensor pad(const tensor& x, std::span<const std::pair<std::int64_t, std::int64_t>> widths,
           scalar number = 0, caller where = caller::current());
inline tensor pad(const tensor& x,
                  std::initializer_list<std::pair<std::int64_t, std::int64_t>> widths,
                  scalar number = 0, caller where = caller::current()) {
  return pad(x, std::span(widths.begin(), widths.size()), number, where);
}
/// As many on all sides.
tensor pad(const tensor& x, std::int64_t width, scalar number = 0,
           caller where = caller::current());

/// The elements that `pad` surrounds an array with, along each axis in turn.
enum class pad_mode : std::uint8_t {
  edge,       ///< the outermost: 1 1 [1 2 3] 3 3
  reflect,    ///< those on the other side of the outermost: 3 2 [1 2 3] 2 1
  symmetric,  ///< those on the other side of the edge: 2 1 [1 2 3] 3 2
  wrap        ///< those from the other end: 2 3 [1 2 3] 1 2
};

/// Surrounded by elements of its own; wider borders than the array go on in the same way. Throws
/// for negative widths, and for borders of an axis without elements.
tensor pad(const tensor& x, std::span<const std::pair<std::int64_t, std::int64_t>> widths,
           pad_mode mode, caller where = caller::current());
inline tensor pad(const tensor& x,
                  std::initializer_list<std::pair<std::int64_t, std::int64_t>> widths,
                  pad_mode mode, caller where = caller::current()) {
  return pad(x, std::span(widths.begin(), widths.size()), mode, where);
}
tensor pad(const tensor& x, std::int64_t width, pad_mode mode, caller where = caller::current());

}  // namespace troupe
