// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <type_traits>

#include "troupe/devices/cpu/lapack/linalg_kernels.hpp"

namespace troupe::cpu_kernels {

// N. J. Higham, The scaling and squaring method for the matrix exponential revisited (2005): the
// diagonal Padé approximant of degree 13, or 7 for float32, of A / 2^s, squared s times. The
// matrices are transposed, as LAPACK sees them, and so is the result.

namespace {

/// The coefficients of the approximant, and the greatest norm for which it is exact to the last
/// bits.
template <class T>
struct approximant {
  static constexpr bool wide = std::is_same_v<T, double>;
  static constexpr double reach = wide ? 5.371920351148152 : 3.925724783138660;
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

  /// Adds to `out` the products of even powers with coefficients number `first`, and so on.
  void add_powers(const T* const* powers, int first, T* out) const noexcept {
    for (int k = 0; k < 3; ++k) {
      const T factor = approximant<T>::coefficient(first + 2 * k);
      for (std::int64_t i = 0; i < elements; ++i) out[i] += factor * powers[k][i];
    }
  }

  void add_to_diagonal(T number, T* out) const noexcept {
    for (std::int64_t i = 0; i < elements; i += n + 1) out[i] += number;
  }
};

template <class T>
double norm(const T* a, std::int64_t n) noexcept {
  double most = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::int64_t j = 0; j < n; ++j) sum += std::abs(static_cast<double>(a[i * n + j]));
    most = std::max(most, sum);
  }
  return most;
}

}  // namespace

template <class T>
void expm(const kernel_args& args, std::int64_t index) {
  const auto a = matrix_of<T>(args.inputs[0], index);
  T* const out = result_of<T>(args, index);
  const auto n = a.rows, elements = n * n;
  room own(static_cast<std::size_t>(6 * elements) * sizeof(T) +
               static_cast<std::size_t>(n) * sizeof(int),
           7);
  T* const x = own.take<T>(elements);
  T* powers[] = {own.take<T>(elements), own.take<T>(elements), own.take<T>(elements)};
  T* const even = own.take<T>(elements);
  T* const other = own.take<T>(elements);
  int* const swaps = own.take<int>(n);
  copy_rows(a, x);
  if (!all_finite(x, elements))
    return std::fill(out, out + elements, std::numeric_limits<T>::quiet_NaN()), void();

  const int halvings =
      std::max(0, static_cast<int>(std::ceil(std::log2(norm(x, n) / approximant<T>::reach))));
  for (std::int64_t i = 0; i < elements; ++i) x[i] = std::ldexp(x[i], -halvings);
  const lapack<T> library;
  const squares<T> all{library, lapack_size(n), elements};
  all.product(x, x, powers[0]);
  all.product(powers[0], powers[0], powers[1]);
  all.product(powers[0], powers[1], powers[2]);
  const auto polynomial = [&](int first, T* to) {  // in even powers
    std::fill(to, to + elements, T(0));
    if constexpr (approximant<T>::wide) {
      std::fill(out, out + elements, T(0));
      all.add_powers(powers, first + 8, out);
      all.product(powers[2], out, to);
    }
    all.add_powers(powers, first + 2, to);
    all.add_to_diagonal(approximant<T>::coefficient(first), to);
  };
  polynomial(0, even);
  polynomial(1, other);
  T* const odd = powers[0];
  all.product(x, other, odd);
  for (std::int64_t i = 0; i < elements; ++i) {
    out[i] = even[i] + odd[i];
    even[i] -= odd[i];
  }
  int info = 0;
  library->getrf(&all.n, &all.n, even, &all.n, swaps, &info);
  library->getrs("N", &all.n, &all.n, even, &all.n, swaps, out, &all.n, &info, 1);
  T* from = out;
  T* to = x;
  for (int i = 0; i < halvings; ++i, std::swap(from, to)) all.product(from, from, to);
  if (from != out) std::copy(from, from + elements, out);
}

template void expm<float>(const kernel_args&, std::int64_t);
template void expm<double>(const kernel_args&, std::int64_t);

}  // namespace troupe::cpu_kernels
