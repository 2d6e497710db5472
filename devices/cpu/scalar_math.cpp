// SPDX-License-Identifier: MIT
#include <cmath>

// The functions of single numbers that go with troupe's own of whole vectors. The C library's are
// quick for all numbers. This source does not see that there are others: the compiler would make
// them of these.
#define TROUPE_MATH_GUARDED(name)                                             \
  extern "C" double troupe_##name(double x) noexcept;                         \
  extern "C" double troupe_##name(double x) noexcept { return std::name(x); } \
  extern "C" float troupe_##name##f(float x) noexcept;                        \
  extern "C" float troupe_##name##f(float x) noexcept { return std::name(x); }
#include "troupe/devices/math_functions.def"
