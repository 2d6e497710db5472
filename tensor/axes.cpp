// SPDX-License-Identifier: MIT
#include "troupe/tensor/axes.hpp"

#include <algorithm>
#include <string>

#include "troupe/tasks/error.hpp"

namespace troupe {

axes::axes(std::span<const int> some) noexcept : count_(static_cast<int>(some.size())) {
  std::copy_n(some.begin(), std::min<std::size_t>(some.size(), max_rank), some_);
}

std::uint32_t axes::mask(const tensor_type& t, std::string_view what,
                         std::source_location where) const {
  const int rank = t.dims.rank();
  if (count_ == all_) return (1u << rank) - 1;
  if (count_ > rank)
    throw error(std::string(what) + ": " + std::to_string(count_) +
                    (count_ == 1 ? " axis is named for " : " axes are named for ") + to_string(t) +
                    ", which has " + (rank == 0 ? "none" : std::to_string(rank)),
                where);
  std::uint32_t out = 0;
  for (int i = 0; i < count_; ++i) {
    const int axis = detail::checked_axis(some_[i], rank, t, what, where);
    if (out & (1u << axis))
      throw error(std::string(what) + ": axis " + std::to_string(axis) + " is named twice", where);
    out |= 1u << axis;
  }
  return out;
}

std::vector<int> axes::list(const tensor_type& t, std::string_view what,
                            std::source_location where) const {
  mask(t, what, where);
  const int rank = t.dims.rank();
  std::vector<int> out;
  for (int i = 0; i < (count_ == all_ ? rank : count_); ++i) {
    const int axis = count_ == all_ ? i : some_[i];
    out.push_back(axis < 0 ? axis + rank : axis);
  }
  return out;
}

int detail::checked_axis(int axis, int rank, const tensor_type& t, std::string_view what,
                         std::source_location where) {
  if (axis >= -rank && axis < rank) return axis < 0 ? axis + rank : axis;
  throw error(
      std::string(what) + ": axis " + std::to_string(axis) + " is out of range for " + to_string(t),
      where);
}

}  // namespace troupe
