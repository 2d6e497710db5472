// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/simd/exponentials.hpp"
#include "troupe/devices/cpu/simd/fold.hpp"

namespace troupe::cpu_kernels::TROUPE_ISA {

namespace {

constexpr std::int64_t longest_run = reduction_loops::longest_run;
constexpr std::int64_t longest_row = 1024;

/// Adds rows by few and narrow enough to be walked twice in the cache.
template <class Statistic, class T>
void add_rows(partials p, const void* from, std::int64_t step, std::int64_t rows,
              std::int64_t width, std::int64_t) {
  constexpr std::int64_t few = 64;
  const T* const x = static_cast<const T*>(from);
  for (std::int64_t i = 0; i < rows; i += few, p.count += few) {
    for (std::int64_t j = 0; j < width; j += longest_row)
      Statistic::add_few_rows(p.from(j), x + i * step + j, step, rows - i < few ? rows - i : few,
                              width - j < longest_row ? width - j : longest_row);
  }
}

/// The mean of squared deviations from the mean. Blocks are measured from their own mean and put
/// together as in Chan, Golub and LeVeque, "Algorithms for computing the sample variance" (1983).
template <class T>
struct variance {
  static void start(partials p, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) p.value[i].real = p.more[i].real = 0;
  }

  static void include(partials p, std::int64_t i, double mean, double spread,
                      std::int64_t count) noexcept {
    const double share = static_cast<double>(count) / static_cast<double>(p.count + count);
    double &so_far = p.value[i].real, &spread_so_far = p.more[i].real;
    const double apart = mean - so_far;
    spread_so_far +=
        spread + (p.count == 0 ? 0.0 : apart * apart * share * static_cast<double>(p.count));
    so_far = p.count == 0 ? mean : so_far + apart * share;
  }

  static void add_run(partials p, const void* from, std::int64_t n, std::int64_t) {
    if (n <= 0) return;
    const T* const x = static_cast<const T*>(from);
    const auto count = static_cast<double>(n);
    const T center = static_cast<T>(fold<add>(x, n, T(0)) / count);
    alignas(64) T apart[longest_run];
#pragma GCC ivdep
    for (std::int64_t i = 0; i < n; ++i) apart[i] = x[i] - center;
    const double shift = fold<add>(apart, n, T(0)) / count;
    const double spread = fold<add_square>(apart, n, T(0)) - shift * shift * count;
    include(p, 0, static_cast<double>(center) + shift, spread < 0 ? 0 : spread, n);
  }

  static void add_few_rows(partials p, const T* x, std::int64_t step, std::int64_t rows,
                           std::int64_t width) {
    alignas(64) T center[longest_row], shift[longest_row], spread[longest_row];
    const T share = T(1) / static_cast<T>(rows);
    for (std::int64_t j = 0; j < width; ++j) center[j] = shift[j] = spread[j] = T(0);
    for (std::int64_t i = 0; i < rows; ++i) {
#pragma GCC ivdep
      for (std::int64_t j = 0; j < width; ++j) center[j] += x[i * step + j];
    }
    for (std::int64_t j = 0; j < width; ++j) center[j] *= share;
    for (std::int64_t i = 0; i < rows; ++i) {
#pragma GCC ivdep
      for (std::int64_t j = 0; j < width; ++j) {
        const T apart = x[i * step + j] - center[j];
        shift[j] += apart;
        spread[j] += apart * apart;
      }
    }
    const auto count = static_cast<double>(rows);
    for (std::int64_t j = 0; j < width; ++j) {
      const double off = static_cast<double>(shift[j]) / count;
      const double left = static_cast<double>(spread[j]) - off * off * count;
      include(p, j, static_cast<double>(center[j]) + off, left < 0 ? 0 : left, rows);
    }
  }

  static void merge(partials p, partials later, std::int64_t n) {
    if (later.count == 0) return;
    for (std::int64_t i = 0; i < n; ++i)
      include(p, i, later.value[i].real, later.more[i].real, later.count);
  }

  static void write(void* out, partials p, std::int64_t n, int ddof) {
    T* const to = static_cast<T*>(out);
    const auto divisor = static_cast<double>(p.count > ddof ? p.count - ddof : 0);
    for (std::int64_t i = 0; i < n; ++i)
      to[i] = static_cast<T>(p.count == 0 ? static_cast<double>(__builtin_nanf(""))
                                          : p.more[i].real / divisor);
  }

  static constexpr reduction_loops loops = {start, add_run, add_rows<variance, T>, merge, write};
};

/// log(sum(exp(x))): a partial result keeps the maximum and the sum of exponentials of distances
/// from it.
template <class T>
struct logsumexp {
  static void start(partials p, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) p.value[i].real = lowest<double>(), p.more[i].real = 0;
  }

  /// The origin that exponents are measured from: the maximum, unless it is infinite or NaN.
  template <class V>
  static V origin(V most) noexcept {
    return scalar_functions::isfinite(most) ? most : V(0);
  }

  static double scaled(double sum, double from, double to) noexcept {
    return from == to || sum == 0 ? sum : sum * scalar_functions::exp(from - to);
  }

  static void include(partials p, std::int64_t i, double most, double sum) noexcept {
    double &so_far = p.value[i].real, &sum_so_far = p.more[i].real;
    const double both = greatest::combine(so_far, most);
    sum_so_far =
        scaled(sum_so_far, origin(so_far), origin(both)) + scaled(sum, origin(most), origin(both));
    so_far = both;
  }

  static void add_run(partials p, const void* from, std::int64_t n, std::int64_t) {
    if (n <= 0) return;
    const T* const x = static_cast<const T*>(from);
    const T most = static_cast<T>(fold<greatest>(x, n, lowest<T>()));
    const T zero = origin(most);
    alignas(64) T powers[longest_run];
    const std::int64_t whole = padded(n);
    for (std::int64_t i = 0; i < n; ++i) powers[i] = x[i] - zero;
    for (std::int64_t i = n; i < whole; ++i) powers[i] = T(0);
    exponentiate(powers, whole);
    include(p, 0, static_cast<double>(most), fold<add>(powers, n, T(0)));
  }

  static void add_few_rows(partials p, const T* x, std::int64_t step, std::int64_t rows,
                           std::int64_t width) {
    alignas(64) T most[longest_row], zero[longest_row], sums[longest_row], powers[longest_row];
    const std::int64_t whole = padded(width);
    for (std::int64_t j = 0; j < width; ++j) most[j] = lowest<T>(), sums[j] = T(0);
    for (std::int64_t j = width; j < whole; ++j) powers[j] = T(0);
    for (std::int64_t i = 0; i < rows; ++i) {
#pragma GCC ivdep
      for (std::int64_t j = 0; j < width; ++j)
        most[j] = greatest::combine(most[j], x[i * step + j]);
    }
    for (std::int64_t j = 0; j < width; ++j) zero[j] = origin(most[j]);
    for (std::int64_t i = 0; i < rows; ++i) {
#pragma GCC ivdep
      for (std::int64_t j = 0; j < width; ++j) powers[j] = x[i * step + j] - zero[j];
      exponentiate(powers, whole);
      for (std::int64_t j = 0; j < width; ++j) sums[j] += powers[j];
    }
    for (std::int64_t j = 0; j < width; ++j)
      include(p, j, static_cast<double>(most[j]), static_cast<double>(sums[j]));
  }

  static void merge(partials p, partials later, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) include(p, i, later.value[i].real, later.more[i].real);
  }

  static void write(void* out, partials p, std::int64_t n, int) {
    T* const to = static_cast<T*>(out);
    for (std::int64_t i = 0; i < n; ++i) {
      // A vector's logarithm may differ in the last bit, and what is a vector depends on who writes
      // how many.
      asm volatile("" : "+r"(i));
      to[i] = static_cast<T>(scalar_functions::log(p.more[i].real) + origin(p.value[i].real));
    }
  }

  static constexpr reduction_loops loops = {start, add_run, add_rows<logsumexp, T>, merge, write};
};

constexpr reduction_table make_table() {
  reduction_table table{};
  reduction_loops(&spread)[dtype_count] = table.loops[static_cast<int>(reduction_op::variance)];
  spread[number_of(float32)] = variance<float>::loops;
  spread[number_of(float64)] = variance<double>::loops;
  reduction_loops(&sums)[dtype_count] = table.loops[static_cast<int>(reduction_op::logsumexp)];
  sums[number_of(float32)] = logsumexp<float>::loops;
  sums[number_of(float64)] = logsumexp<double>::loops;
  return table;
}

}  // namespace

constexpr reduction_table statistic_loops = make_table();

}  // namespace troupe::cpu_kernels::TROUPE_ISA
