// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/cpu/simd/exponential.hpp"

namespace troupe::cpu_kernels::TROUPE_ISA {

namespace {

/// Elements that are a whole number of vectors for every instruction set.
constexpr std::int64_t exponential_block = 16;

constexpr std::int64_t padded(std::int64_t n) noexcept {
  return (n + exponential_block - 1) / exponential_block * exponential_block;
}

#ifdef __AVX2__

template <class T, class V = vector<T>>
inline V quick_exponential(V x) noexcept {
  return exponential<T>(x);
}

#else

/// glibc's, which is slow where results are hardly normal or not at all: those of other numbers
/// take their place. In two loops: in one, the compiler would ask whether a number is too small
/// only once, and call the function with any.
template <class T, class V = vector<T>>
V quick_exponential(V x) noexcept {
  constexpr T least = sizeof(T) == 4 ? T(-87.33654) : T(-708);
  alignas(vector_bytes) T all[length_of<T>];
  store(all, x);
#pragma GCC ivdep
  for (int j = 0; j < length_of<T>; ++j) all[j] = all[j] < least ? least : all[j];
#pragma GCC ivdep
  for (int j = 0; j < length_of<T>; ++j) all[j] = scalar_functions::quick::exp(all[j]);
  return load(all);
}

#endif

/// Returns the exponentials, or 0 where they would hardly be normal or not at all: those of masked
/// elements are, and arithmetic with such numbers is slow.
template <class T, class V = vector<T>>
inline V normal_exponential(V x) noexcept {
  constexpr T tiny = sizeof(T) == 4 ? T(1.1756e-38) : T(3.3076e-308);
  const V power = quick_exponential<T>(x);
  return power < tiny ? V{} : power;
}

/// x[i] = exp(x[i]), or 0 as above, for n numbers, a multiple of 16.
template <class T>
void exponentiate(T* x, std::int64_t n) noexcept {
  for (std::int64_t i = 0; i < n; i += length_of<T>)
    store(x + i, normal_exponential<T>(load(x + i)));
}

}  // namespace

}  // namespace troupe::cpu_kernels::TROUPE_ISA
