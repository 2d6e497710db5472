// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/scalar_functions.hpp"

namespace troupe::cpu_kernels::TROUPE_ISA {

namespace {

constexpr std::int64_t exponential_block = 16;

constexpr std::int64_t padded(std::int64_t n) noexcept {
  return (n + exponential_block - 1) / exponential_block * exponential_block;
}

/// The least number whose exponential the vector function has quickly, and a number just above
/// that.
inline constexpr float least_exponent(float) noexcept { return -87.33654f; }
inline constexpr double least_exponent(double) noexcept { return -708; }
inline constexpr float hardly_normal(float) noexcept { return 1.1756e-38f; }
inline constexpr double hardly_normal(double) noexcept { return 3.3076e-308; }

/// x[i] = exp(x[i]), or 0 where that would hardly be normal or not at all, for a block: the vector
/// function is slow there, and among masked elements it would be there often. In two loops: in one,
/// the compiler would ask whether a number is too small only once, and call the function with any.
template <class T>
void exponentiate_block(T* x) noexcept {
  constexpr T least = least_exponent(T()), tiny = hardly_normal(T());
#pragma GCC ivdep
#pragma GCC unroll 1
  for (std::int64_t j = 0; j < exponential_block; ++j) x[j] = x[j] < least ? least : x[j];
#pragma GCC ivdep
#pragma GCC unroll 1
  for (std::int64_t j = 0; j < exponential_block; ++j) {
    const T power = scalar_functions::quick::exp(x[j]);
    x[j] = power < tiny ? T(0) : power;
  }
}

/// The same for n, a multiple of 16.
template <class T>
void exponentiate(T* x, std::int64_t n) noexcept {
  for (std::int64_t i = 0; i < n; i += exponential_block) exponentiate_block(x + i);
}

}  // namespace

}  // namespace troupe::cpu_kernels::TROUPE_ISA
