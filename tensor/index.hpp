// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <source_location>
#include <utility>

namespace troupe {

class tensor;

/// Python's start:stop:step. Negative ends count from the end of the axis, ends beyond it are
/// clipped, and an omitted end extends as far as possible: `range{1, 3}`, `range{.stop = -1}`, and
/// backwards `range{.step = -1}`.
struct range {
  std::optional<std::int64_t> start = {};
  std::optional<std::int64_t> stop = {};
  std::int64_t step = 1;
};

/// First position, step and number of positions of a range on an axis of `size` positions. The step
/// is not 0.
struct stretch {
  std::int64_t start;
  std::int64_t step;
  std::int64_t count;
};
stretch resolve(const range& r, std::int64_t size) noexcept;

/// Whole axis, Python's `:`.
inline constexpr range every{};

struct new_axis_type {};

/// New axis of size 1, NumPy's `newaxis`.
inline constexpr new_axis_type newaxis{};

struct ellipsis_type {};

/// As many whole axes as are not named, Python's `...`.
inline constexpr ellipsis_type ellipsis{};

/// Selection along an axis: the element at a position (which removes the axis), a range, the
/// positions in a tensor of integers, or those where a mask is true (a tensor of bool, which stands
/// for as many axes as it has). Or a new axis, or an ellipsis. Remembers its place in the user's
/// program.
class index {
 public:
  enum class kind : std::uint8_t { absent, position, extent, new_axis, rest, array };
  using source = std::source_location;

  index(bool, source = source::current()) = delete;  // x[true] would be element 1
  template <std::integral T>
  index(T position, source where = source::current()) noexcept
      : range_{std::in_range<std::int64_t>(position) ? static_cast<std::int64_t>(position)
                                                     : INT64_MAX},
        call_site_(where),
        kind_(kind::position) {}
  index(const range& r, source where = source::current()) noexcept
      : range_(r), call_site_(where), kind_(kind::extent) {}
  index(new_axis_type, source where = source::current()) noexcept
      : call_site_(where), kind_(kind::new_axis) {}
  index(ellipsis_type, source where = source::current()) noexcept
      : call_site_(where), kind_(kind::rest) {}
  index(const tensor& positions, source where = source::current());

  /// Returns a placeholder for an index that is not given.
  static index none() noexcept { return {}; }

  kind type() const noexcept { return kind_; }
  std::int64_t position() const noexcept { return *range_.start; }
  const troupe::range& extent() const noexcept { return range_; }
  const tensor& array() const noexcept { return *array_; }
  const source& where() const noexcept { return call_site_; }

 private:
  index() noexcept = default;

  troupe::range range_;
  std::shared_ptr<const tensor> array_;
  source call_site_;
  kind kind_ = kind::absent;
};

}  // namespace troupe
