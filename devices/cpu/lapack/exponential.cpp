// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "troupe/devices/cpu/lapack/linalg_kernels.hpp"

namespace troupe::cpu_kernels {

// N. J. Higham, The scaling and squaring method for the matrix exponential revisited (2005): the
// diagonal Padé approximant of degree 13, or 7 for float32, of A / 2^s, squared s times. How small
// s may be: A. H. Al-Mohy and N. J. Higham, A new scaling and squaring algorithm for the matrix
// exponential (2009), since each squaring loses a bit where A is far from normal. The matrices are
// transposed, as LAPACK sees them, and so is the result.

namespace {

/// The coefficients of the approximant, and the greatest norm for which it is exact to the last
/// bits.
template <class T>
struct approximant {
  static constexpr bool wide = std::is_same_v<T, double>;
  static constexpr int degree = wide ? 13 : 7;
  static constexpr double reach = wide ? 5.371920351148152 : 3.925724783138660;
  /// The reciprocal of the first coefficient of the error's series in powers of A.
  static constexpr double first_error =
      wide ? 113250775606021113483283660800000000. : 4487938430976000.;
  static constexpr double of_13[] = {64764752532480000.,
                                     32382376266240000.,
                                     7771770303897600.,
                                     1187353796428800.,
                                     129060195264000.,
                                     10559470521600.,
                                     670442572800.,
                                     33522128640.,
                                     1323241920.,
                                     40840800.,
                                     960960.,
                                     16380.,
                                     182.,
                                     1.};
  static constexpr double of_7[] = {17297280., 8648640., 1995840., 277200., 25200., 1512., 56., 1.};

  static constexpr T coefficient(int i) noexcept {
    return static_cast<T>(wide ? of_13[i] : of_7[i]);
  }
};

/// Square matrices of one size in the workspace, and sums and products of them.
template <class T>
struct squares {
  const lapack<T>& library;
  int n;
  std::int64_t elements;

  void product(const T* a, const T* b, T* out) const {
    const T one = 1, none = 0;
    library->gemm("N", "N", &n, &n, &n, &one, a, &n, b, &n, &none, out, &n, 1, 1);
  }

  /// Computes the powers 2, 4 and 6.
  void even_powers(const T* a, T* const* powers) const {
    product(a, a, powers[0]);
    product(powers[0], powers[0], powers[1]);
    product(powers[0], powers[1], powers[2]);
  }

  /// Adds to `out` the products of even powers with coefficients number `first`, and so on.
  void add_powers(const T* const* powers, int first, T* out) const noexcept {
    for (int k = 0; k < 3; ++k) {
      const T factor = approximant<part_of<T>>::coefficient(first + 2 * k);
      for (std::int64_t i = 0; i < elements; ++i) out[i] = out[i] + factor * powers[k][i];
    }
  }

  void add_to_diagonal(T number, T* out) const noexcept {
    for (std::int64_t i = 0; i < elements; i += n + 1) out[i] = out[i] + number;
  }
};

/// Returns log2 of the greatest row sum of the power of abs(A), where A is not 0.
template <class T>
double log2_norm_of_power(const T* a, std::int64_t n, int power, double* sums, double* next) {
  std::fill(sums, sums + n, 1.);
  double exponent = 0;
  for (int step = 0; step < power; ++step) {
    double most = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      double sum = 0;
      for (std::int64_t j = 0; j < n; ++j) sum += magnitude(a[i * n + j]) * sums[j];
      next[i] = sum;
      most = std::max(most, sum);
    }
    exponent += std::log2(most);
    for (std::int64_t i = 0; i < n && most > 0; ++i) sums[i] = next[i] / most;
    if (most == 0) break;
  }
  return exponent;
}

template <class T>
double norm(const T* a, std::int64_t n) noexcept {
  double most = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::int64_t j = 0; j < n; ++j) sum += magnitude(a[i * n + j]);
    most = std::max(most, sum);
  }
  return most;
}

/// Divides by a power of 2.
template <class T>
void halve(T* a, std::int64_t n, int times) noexcept {
  for (std::int64_t i = 0; i < n && times > 0; ++i) a[i] = scaled_by(a[i], -times);
}

/// Returns how often A must be halved for the approximant to be exact to the last bits. `powers`
/// are A^2, A^4 and A^6, `sums` is room for 2 n numbers.
template <class T>
int least_halvings(const T* a, const T* const* powers, std::int64_t n, double* sums) {
  using pade = approximant<part_of<T>>;
  const double whole = norm(a, n);
  const double size =
      std::max(std::pow(norm(powers[1], n), 1. / 4), std::pow(norm(powers[2], n), 1. / 6));
  const double times = size > pade::reach ? std::ceil(std::log2(size / pade::reach)) : 0;
  if (std::ldexp(whole, -static_cast<int>(times)) <= pade::reach) return static_cast<int>(times);
  // The error's first term, in abs(A): rounding is as large as there.
  const double error = log2_norm_of_power(a, n, 2 * pade::degree + 1, sums, sums + n) -
                       std::log2(whole) - std::log2(pade::first_error) -
                       std::log2(std::numeric_limits<part_of<T>>::epsilon() / 2);
  const double more = std::ceil(error / (2 * pade::degree) - times);
  return static_cast<int>(times + std::clamp(more, 0., 1100.));
}

/// Returns true if more lies above the diagonal than below.
template <class T>
bool leans_up(const T* a, std::int64_t n) noexcept {
  double above = 0, below = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < i; ++j) below += magnitude(a[i * n + j]);
    for (auto j = i + 1; j < n; ++j) above += magnitude(a[i * n + j]);
  }
  return above > below;
}

}  // namespace

template <class T>
void expm(const kernel_args& args, std::int64_t index) {
  using pade = approximant<part_of<T>>;
  const auto a = matrix_of<T>(args.inputs[0], index);
  T* const out = result_of<T>(args, index);
  const auto n = a.rows, elements = n * n;
  room own(bytes<T>(6 * elements) + bytes<int>(n) + bytes<double>(2 * n), 8);
  T* const x = own.take<T>(elements);
  T* powers[] = {own.take<T>(elements), own.take<T>(elements), own.take<T>(elements)};
  T* const even = own.take<T>(elements);
  T* const other = own.take<T>(elements);
  int* const swaps = own.take<int>(n);
  double* const sums = own.take<double>(2 * n);
  copy_rows(a, x);
  if (!all_finite(x, elements))
    return std::fill(out, out + elements, T(std::numeric_limits<part_of<T>>::quiet_NaN())), void();
  // LAPACK should see an upper triangle rather than a lower one: LU factors exchange rows for
  // numbers below the diagonal that are large, which a triangle's exponential does not bear.
  const bool turned = leans_up(x, n);
  if (turned) copy_rows(a.transposed(), x);

  const lapack<T> library;
  const squares<T> all{library, lapack_size(n), elements};
  all.even_powers(x, powers);
  int halvings = 0;
  if (all_finite(powers[1], elements) && all_finite(powers[2], elements)) {
    halvings = least_halvings(x, powers, n, sums);
    for (int k = 0; k < 3; ++k) halve(powers[k], elements, 2 * (k + 1) * halvings);
    halve(x, elements, halvings);
  } else {
    const double enough = std::ceil(std::log2(norm(x, n) / pade::reach));
    halvings = static_cast<int>(std::clamp(enough, 0., 1100.));
    halve(x, elements, halvings);
    all.even_powers(x, powers);
  }
  const auto polynomial = [&](int first, T* to) {  // in even powers
    std::fill(to, to + elements, T(0));
    if constexpr (pade::wide) {
      std::fill(out, out + elements, T(0));
      all.add_powers(powers, first + 8, out);
      all.product(powers[2], out, to);
    }
    all.add_powers(powers, first + 2, to);
    all.add_to_diagonal(pade::coefficient(first), to);
  };
  polynomial(0, even);
  polynomial(1, other);
  T* const odd = powers[0];
  all.product(x, other, odd);
  for (std::int64_t i = 0; i < elements; ++i) {
    out[i] = even[i] + odd[i];
    even[i] = even[i] - odd[i];
  }
  int info = 0;
  library->getrf(&all.n, &all.n, even, &all.n, swaps, &info);
  library->getrs("N", &all.n, &all.n, even, &all.n, swaps, out, &all.n, &info, 1);
  T* from = out;
  T* to = x;
  for (int i = 0; i < halvings; ++i, std::swap(from, to)) all.product(from, from, to);
  if (turned) {
    if (from == out) std::copy(out, out + elements, x);
    copy_rows<T>({x, n, n, 1, n}, out);
  } else if (from != out) {
    std::copy(from, from + elements, out);
  }
}

#define TROUPE_INSTANTIATE(name)                                               \
  template void name<float>(const kernel_args&, std::int64_t);                 \
  template void name<double>(const kernel_args&, std::int64_t);                \
  template void name<complex_number<float>>(const kernel_args&, std::int64_t); \
  template void name<complex_number<double>>(const kernel_args&, std::int64_t);
TROUPE_INSTANTIATE(expm)
#undef TROUPE_INSTANTIATE

}  // namespace troupe::cpu_kernels
