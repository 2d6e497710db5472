// SPDX-License-Identifier: MIT
#pragma once

namespace troupe::cpu_kernels {

/// Coefficients of e^r = 1 + r + ... for |r| <= ln(2) / 2, and constants that go with it. They are
/// those of its Taylor series, whose higher powers are replaced by Chebyshev polynomials of lower
/// degree ("economized"): wrong by 0.05 units of the last place.
template <class T>
struct exponential_series;
template <>
struct exponential_series<float> {
  static constexpr float coefficients[] = {0x1.6da75cp-10f,
                                           0x1.126fbp-7f,
                                           0x1.555464p-5f,
                                           0x1.555404p-3f,
                                           0.5f,
                                           1,
                                           1};  ///< that of the highest power first
  static constexpr float log2_e = 0x1.715476p0f, ln_2 = 0x1.62e43p-1f, ln_2_rest = -0x1.05c61p-29f;
  // Beyond these, the result is 0 or infinite.
  static constexpr float least = -104, most = 89;
  static constexpr float least_of_two = -151, most_of_two = 129;
};
template <>
struct exponential_series<double> {
  static constexpr double coefficients[] = {0x1.af7860a84627ep-26,
                                            0x1.28b408307df8p-22,
                                            0x1.71dde7689d187p-19,
                                            0x1.a01991a987b0ep-16,
                                            0x1.a01a01b80313fp-13,
                                            0x1.6c16c187fd096p-10,
                                            0x1.111111110db73p-7,
                                            0x1.555555554f0c9p-5,
                                            0x1.5555555555562p-3,
                                            0x1.0000000000011p-1,
                                            1,
                                            1};
  static constexpr double log2_e = 0x1.71547652b82fep0, ln_2 = 0x1.62e42fefa39efp-1,
                          ln_2_rest = 0x1.abc9e3b39803fp-56;
  static constexpr double least = -746, most = 710;
  static constexpr double least_of_two = -1076, most_of_two = 1025;
};

}  // namespace troupe::cpu_kernels
