// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/simd/fold.hpp"
#include "troupe/devices/cpu/simd/rows.hpp"

namespace troupe::cpu_kernels::TROUPE_ISA {

namespace {

template <class W>
W& in(number& x) noexcept {
  if constexpr (std::is_same_v<W, double>) return x.real;
  else if constexpr (std::is_same_v<W, std::uint64_t>) return x.natural;
  else return x.integer;
}

// Steps for bool: any and all.

struct found : of_elements {
  template <class V>
  static V combine(V a, V b) noexcept {
    return a | b;
  }
};

struct missed : of_elements {
  template <class V>
  static V combine(V a, V b) noexcept {
    return a & b;
  }
};

/// A reduction of elements of type T that adds one to the other: `Step` says how, `Sum` is what
/// they are added in, `R` the result's type.
template <class Step, class T, class Sum, class R, bool Mean>
struct folding {
  using W = wide<Sum>;

  static constexpr bool in_floats = is_floating(dtype_of<T>()) && is_floating(dtype_of<Sum>());
  static constexpr bool in_rows = in_floats && std::is_same_v<T, Sum>;
  using totals = std::conditional_t<in_rows, wide_totals<Step, T>, totals_abreast<Step, T>>;

  static constexpr Sum identity() noexcept {
    if constexpr (std::is_same_v<Step, greatest>) return lowest<Sum>();
    else if constexpr (std::is_same_v<Step, least>) return highest<Sum>();
    else return Sum(std::is_same_v<Step, multiply> || std::is_same_v<Step, missed>);
  }

  static void start(partials p, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) in<W>(p.value[i]) = static_cast<W>(identity());
  }

  static Sum element(T x) noexcept {
    if constexpr (std::is_same_v<Step, found> || std::is_same_v<Step, missed>) return x != T(0);
    else return static_cast<Sum>(x);
  }

  static void add_run(partials p, const void* from, std::int64_t n, std::int64_t) {
    const T* const x = static_cast<const T*>(from);
    W sum;
    if constexpr (in_rows) {
      sum = fold<Step>(x, n, identity());
    } else if constexpr (in_floats) {
      sum = fold_wide<Step>(x, n, static_cast<T>(identity()));
    } else if constexpr (std::is_same_v<Step, add> && sizeof(T) <= 2) {
      // So many that their sum has 32 bits: four times as many lanes as 64 have.
      constexpr std::int64_t few = 1 << 15;
      const auto* const numbers = static_cast<const read_as<T>*>(from);
      sum = 0;
      for (std::int64_t begin = 0; begin < n; begin += few) {
        std::int32_t part = 0;
        const auto end = begin + few < n ? begin + few : n;
        for (std::int64_t i = begin; i < end; ++i) part += numbers[i];
        sum += static_cast<W>(part);
      }
    } else {
      Sum total = identity();
      for (std::int64_t i = 0; i < n; ++i) total = added<Step>(total, element(x[i]));
      sum = static_cast<W>(total);
    }
    in<W>(*p.value) = Step::combine(in<W>(*p.value), sum);
  }

  static void start_blocks(run_totals& to) {
    static_assert(sizeof(totals) <= sizeof to.bytes && std::is_trivially_copyable_v<totals>);
    const totals none(static_cast<T>(identity()));
    __builtin_memcpy(to.bytes, &none, sizeof none);
  }

  static void add_block(run_totals& to, const void* x, std::int64_t n) {
    totals now(T{});
    __builtin_memcpy(&now, to.bytes, sizeof now);
    fold_onto(now, static_cast<const T*>(x), n, static_cast<T>(identity()));
    __builtin_memcpy(to.bytes, &now, sizeof now);
  }

  static void end_blocks(partials p, const run_totals& from) {
    totals all(T{});
    __builtin_memcpy(&all, from.bytes, sizeof all);
    in<W>(*p.value) = Step::combine(in<W>(*p.value), all.all());
  }

  /// Floats are added in pairs, which keeps their sums accurate.
  static void add_eight_rows(Sum* sums, const T* x, std::int64_t step,
                             std::int64_t width) noexcept {
    std::int64_t j = 0;
    if constexpr (std::is_same_v<T, Sum> && is_floating(dtype_of<T>())) {
      constexpr std::int64_t length = vector_bytes / static_cast<std::int64_t>(sizeof(T));
      const auto eight = [](auto at) {
        const auto pair = [&](int i) { return Step::combine(at(i), at(i + 1)); };
        return Step::combine(Step::combine(pair(0), pair(2)), Step::combine(pair(4), pair(6)));
      };
      for (; j + length <= width; j += length)
        store(sums + j, Step::combine(load(sums + j), eight([&](int i) {
                                        return Step::lift(load(x + i * step + j));
                                      })));
      for (; j < width; ++j)
        sums[j] = Step::combine(sums[j], eight([&](int i) { return Step::lift(x[i * step + j]); }));
    }
#pragma GCC ivdep
    for (; j < width; ++j) {
      Sum sum = sums[j];
#pragma GCC unroll 8
      for (int i = 0; i < 8; ++i) sum = added<Step>(sum, element(x[i * step + j]));
      sums[j] = sum;
    }
  }

  static void add_rows(partials p, const void* from, std::int64_t step, std::int64_t rows,
                       std::int64_t width, std::int64_t) {
    const T* x = static_cast<const T*>(from);
    alignas(64) Sum sums[reduction_loops::longest_row];
    for (std::int64_t j = 0; j < width; ++j) sums[j] = identity();
    std::int64_t i = 0;
    for (; i + 8 <= rows; i += 8, x += 8 * step) add_eight_rows(sums, x, step, width);
    for (; i < rows; ++i, x += step) {
#pragma GCC ivdep
      for (std::int64_t j = 0; j < width; ++j) sums[j] = added<Step>(sums[j], element(x[j]));
    }
#pragma GCC ivdep
    for (std::int64_t j = 0; j < width; ++j)
      in<W>(p.value[j]) = Step::combine(in<W>(p.value[j]), static_cast<W>(sums[j]));
  }

  static void merge(partials p, partials later, std::int64_t n) {
#pragma GCC ivdep
    for (std::int64_t i = 0; i < n; ++i)
      in<W>(p.value[i]) = Step::combine(in<W>(p.value[i]), in<W>(later.value[i]));
  }

  static void write(void* out, partials p, std::int64_t n, int) {
    R* const to = static_cast<R*>(out);
#pragma GCC ivdep
    for (std::int64_t i = 0; i < n; ++i) {
      if constexpr (Mean) to[i] = static_cast<R>(in<W>(p.value[i]) / static_cast<double>(p.count));
      else to[i] = static_cast<R>(in<W>(p.value[i]));
    }
  }

  static constexpr reduction_loops table() noexcept {
    reduction_loops out = {start, add_run, add_rows, merge, write, std::int64_t{1} << 40};
    if constexpr (in_floats) {
      out.start_blocks = start_blocks;
      out.add_block = add_block;
      out.end_blocks = end_blocks;
    }
    return out;
  }
  static constexpr reduction_loops loops = table();
};

template <class T>
constexpr void fill_column(reduction_table& table) {
  constexpr bool floating = is_floating(dtype_of<T>());
  constexpr auto type = static_cast<int>(dtype_of<T>());
  const auto at = [&](reduction_op op) -> reduction_loops& {
    return table.loops[static_cast<int>(op)][type];
  };
  using sum = std::conditional_t<floating, T, wide<T>>;
  at(reduction_op::sum) = folding<add, T, sum, sum, false>::loops;
  at(reduction_op::prod) = folding<multiply, T, wide<T>, sum, false>::loops;
  at(reduction_op::max) = folding<greatest, T, T, T, false>::loops;
  at(reduction_op::min) = folding<least, T, T, T, false>::loops;
  // Flags as wide as the elements make the better vectors.
  using flag = std::conditional_t<
      sizeof(T) == 8, std::int64_t,
      std::conditional_t<sizeof(T) == 4, std::int32_t,
                         std::conditional_t<sizeof(T) == 2, std::uint16_t, std::uint8_t>>>;
  at(reduction_op::any) = folding<found, T, flag, bool, false>::loops;
  at(reduction_op::all) = folding<missed, T, flag, bool, false>::loops;
  if constexpr (floating) {
    at(reduction_op::mean) = folding<add, T, T, T, true>::loops;
    at(reduction_op::sum_of_squares) = folding<add_square, T, T, T, false>::loops;
  }
}

/// Narrow integers, which are compared as they are stored.
template <class T>
constexpr void fill_extremes(reduction_table& table) {
  constexpr auto type = static_cast<int>(dtype_of<T>());
  table.loops[static_cast<int>(reduction_op::max)][type] = folding<greatest, T, T, T, false>::loops;
  table.loops[static_cast<int>(reduction_op::min)][type] = folding<least, T, T, T, false>::loops;
}

constexpr reduction_table make_table() {
  reduction_table table{};
  for_each_computed([&](auto zero) { fill_column<decltype(zero)>(table); });
  for_each_narrow_integer([&](auto zero) { fill_extremes<decltype(zero)>(table); });
  return table;
}

}  // namespace

constexpr reduction_table fold_loops = make_table();

}  // namespace troupe::cpu_kernels::TROUPE_ISA
