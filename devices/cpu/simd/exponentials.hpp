// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/scalar_functions.hpp"

namespace troupe::TROUPE_ISA {

namespace {

constexpr std::int64_t exponential_block = 16;

constexpr std::int64_t padded(std::int64_t n) noexcept {
  return (n + exponential_block - 1) / exponential_block * exponential_block;
}

/// x[i] = exp(x[i]) for i < n, a multiple of 16: by whole blocks, so that the vector function is used throughout.
template <class T>
void exponentiate(T* x, std::int64_t n) noexcept {
  for (std::int64_t i = 0; i < n; i += exponential_block, x += exponential_block) {
#pragma GCC ivdep
#pragma GCC unroll 1
    for (std::int64_t j = 0; j < exponential_block; ++j) x[j] = scalar_functions::exp(x[j]);
  }
}

}  // namespace

}  // namespace troupe::TROUPE_ISA
