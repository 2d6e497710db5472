// SPDX-License-Identifier: MIT
#pragma once

#include <limits>
#include <type_traits>
#include <utility>

#include "troupe/devices/cpu/simd/reduction_loops.hpp"
#include "troupe/devices/cpu/simd/vectors.hpp"
#include "troupe/devices/scalar_functions.hpp"

namespace troupe::cpu_kernels::TROUPE_ISA {

namespace {

/// The type that results are combined in.
template <class T>
using wide = std::conditional_t<
    is_floating(dtype_of<T>()), double,
    std::conditional_t<std::is_same_v<T, std::uint64_t>, std::uint64_t, std::int64_t>>;

// Steps work on single numbers and on vectors. `lift` makes a sum of one element, `combine` adds up
// two sums.

struct of_elements {
  template <class V>
  static V lift(V x) noexcept {
    return x;
  }
};

struct add : of_elements {
  template <class V>
  static V combine(V a, V b) noexcept {
    return a + b;
  }
};

struct add_square : add {
  template <class V>
  static V lift(V x) noexcept {
    return x * x;
  }
};

struct multiply : of_elements {
  template <class V>
  static V combine(V a, V b) noexcept {
    return a * b;
  }
};

/// One of two sums, without a branch, which random numbers would have mispredicted: the compiler
/// knows the extremes of integers.
template <class V>
V chosen(int first, V a, V b) noexcept {
  if constexpr (V(1) / V(2) == V(0)) return first ? a : b;
  else return scalar_functions::select(first, a, b);
}
template <class Mask, class V>
V chosen(Mask first, V a, V b) noexcept {
  return first ? a : b;
}

// A comparison with itself tells a NaN, which stays once it is there.

struct greatest : of_elements {
  template <class V>
  static V combine(V most, V x) noexcept {
    return chosen((x > most) | (x != x), x, most);
  }
};

struct least : of_elements {
  template <class V>
  static V combine(V most, V x) noexcept {
    return chosen((x < most) | (x != x), x, most);
  }
};

/// Returns a sum with one more element.
template <class Step, class V>
V added(V sum, V element) noexcept {
  return Step::combine(sum, Step::lift(element));
}

/// Adds up `rows` rows of eight vectors, side by side, and of one more row the first `few`; then
/// the eight in pairs.
template <class Step, class T>
vector<T> fold_vectors(const T* x, std::int64_t rows, std::int64_t few = 0) noexcept {
  constexpr int length = vector_bytes / static_cast<int>(sizeof(T));
  vector<T> sums[8];
#pragma GCC unroll 8
  for (int k = 0; k < 8; ++k) sums[k] = Step::lift(load(x + k * length));
  for (std::int64_t i = 1; i < rows; ++i) {
#pragma GCC unroll 8
    for (int k = 0; k < 8; ++k) sums[k] = added<Step>(sums[k], load(x + (8 * i + k) * length));
  }
#pragma GCC unroll 8
  for (int k = 0; k < 7; ++k) {
    if (k >= few) break;
    sums[k] = added<Step>(sums[k], load(x + (8 * rows + k) * length));
  }
  return Step::combine(
      Step::combine(Step::combine(sums[0], sums[1]), Step::combine(sums[2], sums[3])),
      Step::combine(Step::combine(sums[4], sums[5]), Step::combine(sums[6], sums[7])));
}

template <class T>
constexpr int per_vector = length_of<T>;

/// Numbers [First, First + Count) of a vector.
template <int First, int Count, class V>
auto part(V x) noexcept {
  return [&]<int... I>(std::integer_sequence<int, I...>) {
    return __builtin_shufflevector(x, x, (First + I)...);
  }
  (std::make_integer_sequence<int, Count>{});
}

/// Adds up the numbers of a vector: first the halves.
template <class Step, int Length>
double across(vector<double, Length * 8> x) noexcept {
  if constexpr (Length == 2) return Step::combine(x[0], x[1]);
  else
    return across<Step, Length / 2>(
        Step::combine(part<0, Length / 2>(x), part<Length / 2, Length / 2>(x)));
}

/// Totals in float64, one for each number of a vector of T.
template <class Step, class T>
struct wide_totals {
  static constexpr int length = per_vector<double>;
  static constexpr int count = per_vector<T> / length;

  vector<double> totals[count];

  explicit wide_totals(T identity) noexcept {
    for (auto& total : totals) total = vector<double>{} + static_cast<double>(identity);
  }

  void include(vector<T> x) noexcept {
    if constexpr (count == 1) {
      totals[0] = Step::combine(totals[0], x);
    } else {
      totals[0] =
          Step::combine(totals[0], __builtin_convertvector(part<0, length>(x), vector<double>));
      totals[1] = Step::combine(totals[1],
                                __builtin_convertvector(part<length, length>(x), vector<double>));
    }
  }

  void include(const wide_totals& other) noexcept {
    for (int i = 0; i < count; ++i) totals[i] = Step::combine(totals[i], other.totals[i]);
  }

  double all() const noexcept {
    if constexpr (count == 1) return across<Step, length>(totals[0]);
    else return across<Step, length>(Step::combine(totals[0], totals[1]));
  }
};

/// The `rest` numbers before `end`, fewer than a vector's, behind others that change no sum.
template <class T>
vector<T> last_numbers(const T* end, std::int64_t rest, T identity) noexcept {
  using place = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
  constexpr int length = per_vector<T>;
  const auto places = []<place... I>(std::integer_sequence<place, I...>) {
    return vector<place>{I...};
  }
  (std::make_integer_sequence<place, length>{});
  return places >= static_cast<place>(length - rest) ? load(end - length) : vector<T>{} + identity;
}

/// Adds up fewer floats than a vector holds.
template <class Step, class T>
double fold_few(const T* x, std::int64_t n, T identity) noexcept {
  double sum = static_cast<double>(identity);
  for (std::int64_t i = 0; i < n; ++i)
    sum = Step::combine(sum, static_cast<double>(Step::lift(x[i])));
  return sum;
}

/// Adds n floats to totals: never more than sixteen in a row before pairs are added, and all else
/// in float64. A run may come in parts of reduction_loops::longest_run and a rest, one after the
/// other.
template <class Step, class T>
[[gnu::always_inline]] inline void fold_onto(wide_totals<Step, T>& totals, const T* x,
                                             std::int64_t n, T identity) noexcept {
  constexpr int length = per_vector<T>;
  constexpr int row = 8 * length;
  static_assert(reduction_loops::longest_run % (16 * row) == 0);
  std::int64_t rows = n / row;
  for (; rows >= 16; rows -= 16, x += 16 * row) totals.include(fold_vectors<Step>(x, 16));
  n %= row;
  if (rows > 0) {
    const std::int64_t few = n / length;
    totals.include(fold_vectors<Step>(x, rows, few));
    x += rows * row + few * length;
    n -= few * length;
  }
  for (; n >= length; n -= length, x += length) totals.include(Step::lift(load(x)));
  if (n > 0) totals.include(Step::lift(last_numbers(x + n, n, identity)));
}

/// Adds up n floats.
template <class Step, class T>
double fold(const T* x, std::int64_t n, T identity) noexcept {
  if (n < per_vector<T>) return fold_few<Step>(x, n, identity);
  wide_totals<Step, T> totals(identity);
  fold_onto(totals, x, n, identity);
  return totals.all();
}

/// Totals of numbers side by side, all in float64.
template <class Step, class T>
struct totals_abreast {
  static constexpr int abreast = 4;

  wide_totals<Step, T> sums[abreast];

  explicit totals_abreast(T identity) noexcept
      : sums{wide_totals<Step, T>(identity), wide_totals<Step, T>(identity),
             wide_totals<Step, T>(identity), wide_totals<Step, T>(identity)} {}

  double all() const noexcept {
    auto first = sums[0], second = sums[2];
    first.include(sums[1]);
    second.include(sums[3]);
    first.include(second);
    return first.all();
  }
};

/// Adds n floats to totals, all in float64. A run may come in parts, as above.
template <class Step, class T>
[[gnu::always_inline]] inline void fold_onto(totals_abreast<Step, T>& totals, const T* x,
                                             std::int64_t n, T identity) noexcept {
  constexpr int length = per_vector<T>;
  constexpr int abreast = totals_abreast<Step, T>::abreast;
  auto& sums = totals.sums;
  for (; n >= abreast * length; n -= abreast * length, x += abreast * length) {
#pragma GCC unroll 4
    for (int k = 0; k < abreast; ++k) sums[k].include(Step::lift(load(x + k * length)));
  }
  for (; n >= length; n -= length, x += length) sums[0].include(Step::lift(load(x)));
  if (n > 0) sums[0].include(Step::lift(last_numbers(x + n, n, identity)));
}

/// Adds up n floats, all in float64.
template <class Step, class T>
double fold_wide(const T* x, std::int64_t n, T identity) noexcept {
  if (n < per_vector<T>) return fold_few<Step>(x, n, identity);
  totals_abreast<Step, T> totals(identity);
  fold_onto(totals, x, n, identity);
  return totals.all();
}

/// The largest and the smallest value: where a search for the least or the greatest starts.
template <class T>
constexpr T highest() noexcept {
  if constexpr (is_floating(dtype_of<T>())) return T(__builtin_inf());
  else return std::numeric_limits<T>::max();
}

template <class T>
constexpr T lowest() noexcept {
  if constexpr (is_floating(dtype_of<T>())) return T(-__builtin_inf());
  else return std::numeric_limits<T>::lowest();
}

}  // namespace

}  // namespace troupe::cpu_kernels::TROUPE_ISA
