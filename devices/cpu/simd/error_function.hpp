// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/cpu/simd/exponential.hpp"

namespace troupe::cpu_kernels::TROUPE_ISA {

namespace {

#ifdef __AVX2__

/// 1 - erf(x), wrong by at most 4.2 units of the last place. With a = |x|, erfc(a) is
/// exp(-a^2) * g(a) / (a + 3), where g goes from 3 to 1 / sqrt(pi) and is nearly a polynomial of
/// (a - 3) / (a + 3): here the one that fits best at Chebyshev's points up to a = 10.6, beyond
/// which erfc is 0.
inline vector<float> error_complement(vector<float> x) noexcept {
  using V = vector<float>;
  constexpr float coefficients[] = {-0x1.559e12p-12f, -0x1.fa0958p-12f, 0x1.94061ep-9f,
                                    -0x1.415f10p-10f, -0x1.b7c292p-6f,  0x1.e99704p-4f,
                                    -0x1.3deac4p-2f,  0x1.2e3268p-1f,   -0x1.c44c48p-1f,
                                    0x1.12f21ep+0f};  // that of the highest power first
  const V a = between(0, x < 0 ? -x : x, 10.6f), share = 1 / (a + 3), nearly = (a - 3) * share;
  const V missed = fused(-nearly, a, fused(nearly + 1, V{} - 3, a));
  const V t = fused(missed, share, nearly);
  V g = V{} + coefficients[0];
  for (std::size_t k = 1; k < std::size(coefficients); ++k) g = fused(g, t, V{} + coefficients[k]);
  const V square = a * a, rest = fused(a, a, -square);
  const V power = exponential<float>(-square) * (g * share);
  const V there = fused(-rest, power, power);
  return x < 0 ? 2 - there : there;
}

#endif

}  // namespace

}  // namespace troupe::cpu_kernels::TROUPE_ISA
