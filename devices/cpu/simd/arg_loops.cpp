// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/simd/fold.hpp"

namespace troupe::cpu_kernels::TROUPE_ISA {

namespace {

template <class T>
T value(number x) noexcept {
  if constexpr (is_floating(dtype_of<T>())) return static_cast<T>(x.real);
  else return static_cast<T>(x.integer);
}

template <class T>
void set_value(number& to, T x) noexcept {
  if constexpr (is_floating(dtype_of<T>())) to.real = static_cast<double>(x);
  else to.integer = static_cast<std::int64_t>(x);
}

/// True when x takes the place of what was found before it; the first NaN stays.
template <class Step, class T>
bool takes_over(T x, T found) noexcept {
  if constexpr (std::is_same_v<Step, greatest>) return (x > found) | ((x != x) & (found == found));
  else return (x < found) | ((x != x) & (found == found));
}

/// The place of the greatest or least element, the first of several.
template <class Step, class T>
struct searching {
  static void start(partials p, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) {
      set_value(p.value[i], std::is_same_v<Step, greatest> ? lowest<T>() : highest<T>());
      p.more[i].integer = 0;
    }
  }

  static void include(partials p, std::int64_t i, T x, std::int64_t index) noexcept {
    if (p.count != 0 && !takes_over<Step>(x, value<T>(p.value[i]))) return;
    set_value(p.value[i], x);
    p.more[i].integer = index;
  }

  static T extreme(const T* x, std::int64_t n) noexcept {
    if constexpr (is_floating(dtype_of<T>())) return static_cast<T>(fold<Step>(x, n, x[0]));
    T most = x[0];
    for (std::int64_t i = 1; i < n; ++i) most = Step::combine(most, x[i]);
    return most;
  }

  /// The first place of `most`; it is there.
  static std::int64_t position(const T* x, std::int64_t n, T most) noexcept {
    constexpr std::int64_t block = 64;
    std::int64_t i = 0;
    for (; i + block <= n; i += block) {
      int hits = 0;
      for (std::int64_t j = 0; j < block; ++j) hits += is(x[i + j], most);
      if (hits != 0) break;
    }
    while (!is(x[i], most)) ++i;
    return i;
  }

  static bool is(T x, T most) noexcept { return (x == most) | ((most != most) & (x != x)); }

  static void add_run(partials p, const void* from, std::int64_t n, std::int64_t index) {
    const T* const x = static_cast<const T*>(from);
    const T most = extreme(x, n);
    if (p.count == 0 || takes_over<Step>(most, value<T>(*p.value)))
      include(p, 0, most, index + position(x, n, most));
  }

  static void add_rows(partials p, const void* from, std::int64_t step, std::int64_t rows,
                       std::int64_t width, std::int64_t index) {
    using row_number = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
    const T* const x = static_cast<const T*>(from);
    alignas(64) T found[reduction_loops::longest_row];
    alignas(64) row_number where[reduction_loops::longest_row];
    for (std::int64_t j = 0; j < width; ++j) found[j] = x[j], where[j] = 0;
    for (std::int64_t i = 1; i < rows; ++i) {
#pragma GCC ivdep
      for (std::int64_t j = 0; j < width; ++j) {
        const T here = x[i * step + j];
        const bool better = takes_over<Step>(here, found[j]);
        found[j] = better ? here : found[j];
        where[j] = better ? static_cast<row_number>(i) : where[j];
      }
    }
    for (std::int64_t j = 0; j < width; ++j) include(p, j, found[j], index + where[j]);
  }

  static void merge(partials p, partials later, std::int64_t n) {
    if (later.count == 0) return;
    for (std::int64_t i = 0; i < n; ++i)
      include(p, i, value<T>(later.value[i]), later.more[i].integer);
  }

  static void write(void* out, partials p, std::int64_t n, int) {
    std::int64_t* const to = static_cast<std::int64_t*>(out);
    for (std::int64_t i = 0; i < n; ++i) to[i] = p.more[i].integer;
  }

  static constexpr reduction_loops loops = {start, add_run, add_rows, merge, write};
};

template <class Step>
constexpr void fill_row(reduction_loops (&row)[dtype_count]) {
  const auto fill = [&](auto zero) {
    row[number_of(dtype_of<decltype(zero)>())] = searching<Step, decltype(zero)>::loops;
  };
  for_each_computed(fill);
  for_each_narrow_integer(fill);
}

constexpr reduction_table make_table() {
  reduction_table table{};
  fill_row<greatest>(table.loops[static_cast<int>(reduction_op::argmax)]);
  fill_row<least>(table.loops[static_cast<int>(reduction_op::argmin)]);
  return table;
}

}  // namespace

constexpr reduction_table arg_loops = make_table();

}  // namespace troupe::cpu_kernels::TROUPE_ISA
