// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/cuda/kernels/pack.hpp"
#include "troupe/devices/scalar_functions.hpp"

namespace troupe::cuda {

/// Greatest of some numbers, or a NaN, and the sum of the exponentials of their distances from it,
/// or from 0 if it is not finite.
template <class T>
struct exponential_sum {
  T most = T(-__builtin_inf());
  T sum = T(0);

  TROUPE_BOTH T origin() const { return origin_of(most); }

  template <int N>
  TROUPE_BOTH void add(const pack<T, N>& x) {
    T top = most;
    for (int k = 0; k < N; ++k) top = greater(top, x.elements[k]);
    const T zero = origin_of(top);
    T powers = T(0);
    for (int k = 0; k < N; ++k) powers += scalar_functions::exp(x.elements[k] - zero);
    sum = measured_from(zero) + powers;
    most = top;
  }

  TROUPE_BOTH void add(const exponential_sum& other) {
    const T top = greater(most, other.most);
    const T zero = origin_of(top);
    sum = measured_from(zero) + other.measured_from(zero);
    most = top;
  }

 private:
  TROUPE_BOTH static T greater(T a, T x) { return (x > a) | (x != x) ? x : a; }
  TROUPE_BOTH static T origin_of(T x) { return scalar_functions::isfinite(x) ? x : T(0); }
  /// Returns the sum relative to another origin. An origin that stands for no number may be above
  /// it: then the sum is 0 and stays so.
  TROUPE_BOTH T measured_from(T zero) const {
    const T apart = origin() - zero;
    return sum * scalar_functions::exp(apart > T(0) ? T(0) : apart);
  }
};

}  // namespace troupe::cuda
