// SPDX-License-Identifier: MIT
#pragma once

/// Special functions of float32 and float64 by formulas without branches, so that loops over them
/// vectorise and their steps can be traced. Part of scalar_functions.hpp.

namespace troupe::scalar_functions {

/// Returns a polynomial; the coefficient of the highest power comes first.
template <class T, class... Rest>
TROUPE_FUNCTION T polynomial(T x, double first, Rest... rest) noexcept {
  T sum = T(first);
  ((sum = sum * x + T(rest)), ...);
  return sum;
}

/// Returns the inverse of erf: the normal distribution's quantile at (x + 1) / 2, divided by
/// sqrt(2), with Wichura's three quotients of polynomials (AS 241, Applied Statistics 37 (1988),
/// PPND16). Relative error: 8 units in the last place.
template <class T>
TROUPE_FUNCTION T erfinv(T x) noexcept {
  const T q = x * T(0.5);
  const T middle = T(0.180625) - q * q;
  const T near_zero =
      q *
      polynomial(middle, 2509.0809287301227, 33430.57558358813, 67265.7709270087, 45921.95393154987,
                 13731.69376550946, 1971.5909503065513, 133.14166789178438, 3.3871328727963665) /
      polynomial(middle, 5226.495278852854, 28729.085735721943, 39307.89580009271,
                 21213.794301586597, 5394.196021424751, 687.1870074920579, 42.31333070160091, 1.0);
  const T rest = T(1) - abs(x);  // exact where it is used
  const T root = sqrt(-log(rest * T(0.5)));
  const T r = root - T(1.6), far = root - T(5);
  const T tail =
      polynomial(r, 0.0007745450142783414, 0.022723844989269184, 0.2417807251774506,
                 1.2704582524523684, 3.6478483247632045, 5.769497221460691, 4.630337846156546,
                 1.4234371107496835) /
      polynomial(r, 1.0507500716444169e-09, 0.0005475938084995345, 0.015198666563616457,
                 0.14810397642748008, 0.6897673349851, 1.6763848301838038, 2.053191626637759, 1.0);
  const T last = polynomial(far, 2.0103343992922881e-07, 2.7115555687434876e-05,
                            0.0012426609473880784, 0.026532189526576124, 0.29656057182850487,
                            1.7848265399172913, 5.463784911164114, 6.657904643501103) /
                 polynomial(far, 2.0442631033899397e-15, 1.421511758316446e-07,
                            1.8463183175100548e-05, 0.0007868691311456133, 0.014875361290850615,
                            0.1369298809227358, 0.599832206555888, 1.0);
  const T size = choose(root <= T(5), tail, last);
  const T beyond = choose(rest == T(0), x / abs(rest), choose(x < T(0), -size, size));
  return choose(abs(q) <= T(0.425), near_zero * T(0.7071067811865476),
                beyond * T(0.7071067811865476));
}

/// Returns digamma for y >= 0: eight steps up, and Stirling's series (Abramowitz and Stegun 6.3.5,
/// 6.3.18).
template <class T>
TROUPE_FUNCTION T digamma_above(T y) noexcept {
  T steps = T(1) / y;
  for (int k = 1; k < 8; ++k) steps = steps + T(1) / (y + T(k));
  const T v = choose(y < T(12), y + T(8), y);
  const T w = T(1) / (v * v);
  const T series =
      w * polynomial(w, -0.4432598039215686, 0.08333333333333333, -0.021092796092796094,
                     0.007575757575757576, -0.004166666666666667, 0.003968253968253968,
                     -0.008333333333333333, 0.08333333333333333);
  const T up = log(v) - T(0.5) / v - series;
  return choose(y < T(12), up - steps, up);
}

/// Returns the derivative of lgamma; below zero by reflection (Abramowitz and Stegun 6.3.7). -inf
/// at 0, inf at -0, NaN at the other poles. Error: 8 units in the last place of max(1, |digamma|),
/// below zero also of the cotangent.
template <class T>
TROUPE_FUNCTION T digamma(T x) noexcept {
  const T above = digamma_above(choose(x < T(0), T(1) - x, x));
  const T part = x - rint(x);
  const T turn =
      choose(part == T(0), part / part, T(3.141592653589793) / tan(part * T(3.141592653589793)));
  const T found = choose(x < T(0), above - turn, above);
  return choose(x == T(0), T(-1) / x, found);
}

/// Returns trigamma for y >= 0, by the derivative of digamma's series (Abramowitz and Stegun
/// 6.4.12).
template <class T>
TROUPE_FUNCTION T trigamma_above(T y) noexcept {
  T steps = T(1) / (y * y);
  for (int k = 1; k < 8; ++k) steps = steps + T(1) / ((y + T(k)) * (y + T(k)));
  const T v = choose(y < T(12), y + T(8), y);
  const T w = T(1) / (v * v);
  const T series = w / v *
                   polynomial(w, -7.092156862745098, 1.1666666666666667, -0.2531135531135531,
                              0.07575757575757576, -0.03333333333333333, 0.023809523809523808,
                              -0.03333333333333333, 0.16666666666666666);
  const T up = T(1) / v + T(0.5) * w + series;
  return choose(y < T(12), up + steps, up);
}

/// Returns the derivative of digamma; infinite at the poles. Relative error: 8 units in the last
/// place above zero.
template <class T>
TROUPE_FUNCTION T trigamma(T x) noexcept {
  const T above = trigamma_above(choose(x < T(0), T(1) - x, x));
  const T height = sin((x - rint(x)) * T(3.141592653589793));
  return select(x < T(0), T(9.869604401089358) / (height * height) - above, above);
}

}  // namespace troupe::scalar_functions
