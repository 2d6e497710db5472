// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/scalar_functions.hpp"

namespace troupe::cpu_kernels::TROUPE_ISA {

namespace {

constexpr std::int64_t exponential_block = 16;

constexpr std::int64_t padded(std::int64_t n) noexcept {
  return (n + exponential_block - 1) / exponential_block * exponential_block;
}

/// The least number whose exponential is not denormal.
inline constexpr float least_exponent(float) noexcept { return -87.33654f; }
inline constexpr double least_exponent(double) noexcept { return -708.3964185322641; }

/// exp(x), or 0 where that would be denormal: the vector function is slow there, and among masked
/// elements it would be there often. Vector functions do their work in loops of whole blocks.
template <class T>
T bounded_exp(T x) noexcept {
  constexpr T least = least_exponent(T());
  const T power = scalar_functions::exp(x < least ? least : x);
  return x < least ? T(0) : power;
}

/// x[i] = exp(x[i]) for i < n, a multiple of 16.
template <class T>
void exponentiate(T* x, std::int64_t n) noexcept {
  for (std::int64_t i = 0; i < n; i += exponential_block, x += exponential_block) {
#pragma GCC ivdep
#pragma GCC unroll 1
    for (std::int64_t j = 0; j < exponential_block; ++j) x[j] = bounded_exp(x[j]);
  }
}

}  // namespace

}  // namespace troupe::cpu_kernels::TROUPE_ISA
