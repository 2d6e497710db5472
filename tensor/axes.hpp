// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <source_location>
#include <span>
#include <string_view>
#include <vector>

#include "troupe/tasks/tensor_type.hpp"
#include "troupe/tensor/flag.hpp"

namespace troupe {

/// Axes to reduce: all (`sum(x)`), one (`sum(x, -1)`) or several (`sum(x, {0, 2})`). Negative ones
/// count from the end.
class axes {
 public:
  /// Selects all axes.
  axes() noexcept = default;
  axes(int axis) noexcept : axes({axis}) {}
  axes(bool) = delete;  // sum(x, keepdims) would reduce axis 1
  axes(std::initializer_list<int> some) noexcept : axes(std::span(some.begin(), some.size())) {}
  axes(const std::vector<int>& some) noexcept : axes(std::span(some)) {}
  /// Selects these axes. An empty list reduces nothing, as axis=() does in NumPy.
  explicit axes(std::span<const int> some) noexcept;

  /// Returns a mask with bit i set for axis i of an input of type `t`. Throws for an axis that is
  /// out of range or named twice.
  std::uint32_t mask(const tensor_type& t, std::string_view what, std::source_location where) const;
  /// Returns the axes, counted from 0, in the order in which they were named. Throws as `mask`.
  std::vector<int> list(const tensor_type& t, std::string_view what,
                        std::source_location where) const;

 private:
  static constexpr int all_ = -1;

  int some_[max_rank]{};
  int count_ = all_;
};

/// An axis, or all elements as if they lay along one (`std::nullopt`, `{}`).
class optional_axis : public std::optional<int> {
 public:
  constexpr optional_axis() noexcept = default;
  constexpr optional_axis(std::nullopt_t) noexcept {}
  constexpr optional_axis(int axis) noexcept : optional(axis) {}
  constexpr optional_axis(std::optional<int> axis) noexcept : optional(axis) {}
  optional_axis(bool) = delete;  // argmax(x, keepdims) would be along axis 1
};

/// Keeps reduced axes, with size 1: `sum(x, 1, keepdims)`.
inline constexpr bool keepdims = true;

namespace detail {

/// Number that `var` and the like take off that of the elements, or `keepdims` in its place.
class ddof_or_keep {
 public:
  constexpr ddof_or_keep(int ddof) noexcept : ddof_(ddof) {}
  constexpr ddof_or_keep(std::same_as<bool> auto keep) noexcept : keep_(keep) {}

  constexpr int ddof() const noexcept { return ddof_; }
  constexpr bool keep() const noexcept { return keep_; }

 private:
  int ddof_ = 0;
  bool keep_ = false;
};

/// Returns `axis` counted from 0 for a tensor with `rank` axes. Throws if it is out of range,
/// naming `t`.
int checked_axis(int axis, int rank, const tensor_type& t, std::string_view what,
                 std::source_location where);

}  // namespace detail

}  // namespace troupe
