// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <source_location>
#include <span>
#include <string>
#include <vector>

#include "troupe/devices/array.hpp"

namespace troupe {

namespace detail {

template <class T>
concept list_of_integers = requires(const T& all) {
  requires std::integral<std::iter_value_t<decltype(std::begin(all))>>;
  std::end(all);
};

}  // namespace detail

/// Size of each axis of a tensor; rank 0 is a scalar.
class shape {
 public:
  shape() noexcept = default;
  /// Constructs a shape. Throws for more than `max_rank` axes, a negative size, or more than 2^59
  /// elements.
  shape(std::initializer_list<std::int64_t> sizes,
        std::source_location call_site = std::source_location::current())
      : shape(std::span(sizes.begin(), sizes.size()), call_site) {}
  explicit shape(std::span<const std::int64_t> sizes,
                 std::source_location call_site = std::source_location::current());
  template <detail::list_of_integers Integers>
  requires(!std::same_as<Integers, shape>)
      shape(const Integers& sizes, std::source_location call_site = std::source_location::current())
      : shape(std::span<const std::int64_t>(
                  std::vector<std::int64_t>(std::begin(sizes), std::end(sizes))),
              call_site) {}

  int rank() const noexcept { return rank_; }
  /// Returns the size of an axis; negative ones count from the end. Throws std::out_of_range for
  /// one that is not there.
  std::int64_t operator[](int axis) const { return sizes_[checked(axis)]; }
  std::int64_t& operator[](int axis) { return sizes_[checked(axis)]; }
  const std::int64_t* data() const noexcept { return sizes_; }
  const std::int64_t* begin() const noexcept { return sizes_; }
  const std::int64_t* end() const noexcept { return sizes_ + rank_; }

  /// Returns the number of elements: the product of all sizes, 1 for a scalar.
  std::int64_t size() const noexcept {
    std::int64_t n = 1;
    for (auto s : *this) n *= s;
    return n;
  }

  /// Returns true if the elements, their bytes and the strides can be counted: at most 2^59
  /// elements.
  bool countable() const noexcept {
    constexpr std::int64_t most = std::int64_t{1} << 59;
    std::int64_t n = 1;
    for (auto s : *this) {
      if (s != 0 && __builtin_mul_overflow(n, s, &n)) return false;
    }
    return n <= most;
  }

  /// Adds an axis at the end. The caller respects `max_rank`, in its own words: throws
  /// std::length_error if not.
  void push_back(std::int64_t size) {
    if (rank_ == max_rank) refuse_more();
    sizes_[rank_++] = size;
  }

  friend bool operator==(const shape& a, const shape& b) noexcept {
    if (a.rank_ != b.rank_) return false;
    for (int i = 0; i < a.rank_; ++i) {
      if (a.sizes_[i] != b.sizes_[i]) return false;
    }
    return true;
  }

 private:
  int checked(int axis) const {
    if (static_cast<unsigned>(axis) < static_cast<unsigned>(rank_)) return axis;
    return from_end(axis);
  }
  [[gnu::cold]] int from_end(int axis) const;
  [[noreturn, gnu::cold]] void refuse_more() const;

  int rank_ = 0;
  std::int64_t sizes_[max_rank];
};

/// Returns text such as "[2,3]", or "[]" for a scalar.
std::string to_string(const shape& s);

}  // namespace troupe

/// The length of a shape as a range is its number of axes, not `size()`, the number of elements.
template <>
inline constexpr bool std::ranges::disable_sized_range<troupe::shape> = true;
