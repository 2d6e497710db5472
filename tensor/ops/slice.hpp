// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "troupe/tensor/tensor.hpp"

/// Parts of a tensor, without a copy.

namespace troupe {

/// Python's start:stop:step along one axis. Negative ends count from the end, ends beyond the axis
/// are cut. Throws for a step of 0.
tensor slice(const tensor& x, int axis, std::optional<std::int64_t> start,
             std::optional<std::int64_t> stop, std::int64_t step = 1,
             caller where = caller::current());

/// Equal parts along an axis, at most 2^20. Throws unless they come out even.
std::vector<tensor> split(const tensor& x, std::int64_t parts, int axis = 0,
                          caller where = caller::current());
/// So many parts along an axis, the first ones longer by 1 where they do not come out even; at most
/// 2^20. NumPy's array_split.
std::vector<tensor> array_split(const tensor& x, std::int64_t parts, int axis = 0,
                                caller where = caller::current());
/// The parts up to, between and behind the given positions along an axis.
std::vector<tensor> split(const tensor& x, std::span<const std::int64_t> at, int axis = 0,
                          caller where = caller::current());
inline std::vector<tensor> split(const tensor& x, std::initializer_list<std::int64_t> at,
                                 int axis = 0, caller where = caller::current()) {
  return split(x, std::span(at.begin(), at.size()), axis, where);
}

/// The parts at each position along an axis, at most 2^20, without that axis: `stack` the other way
/// round.
std::vector<tensor> unstack(const tensor& x, int axis = 0, caller where = caller::current());

namespace detail {

/// Narrows one axis of a view to a range. Throws for a step of 0.
void narrow(layout& view, int axis, const range& r, std::string_view what, caller where);

}  // namespace detail

}  // namespace troupe
