// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/scalar_functions.hpp"

namespace troupe::cuda {

/// Computes a * b + c with two roundings, as on the CPU: where the bits must agree.
TROUPE_FUNCTION float unfused(float a, float b, float c) {
#ifdef __CUDA_ARCH__
  return __fadd_rn(__fmul_rn(a, b), c);
#else
  return a * b + c;
#endif
}

TROUPE_FUNCTION double unfused(double a, double b, double c) {
#ifdef __CUDA_ARCH__
  return __dadd_rn(__dmul_rn(a, b), c);
#else
  return a * b + c;
#endif
}

}  // namespace troupe::cuda
