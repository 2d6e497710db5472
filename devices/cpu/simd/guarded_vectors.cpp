// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/simd/guarded_vectors.hpp"

#include "troupe/devices/cpu/simd/vectors.hpp"
#include "troupe/devices/scalar_functions.hpp"

namespace troupe::cpu_kernels::TROUPE_ISA {

namespace {

template <class T, T (*F)(T) noexcept>
vector<T> of_each(vector<T> x) noexcept {
  alignas(vector_bytes) T numbers[length_of<T>];
  store(numbers, x);
#pragma GCC ivdep
#pragma GCC unroll 1
  for (int i = 0; i < length_of<T>; ++i) numbers[i] = F(numbers[i]);
  return load(numbers);
}

template <class T, T (*F)(T) noexcept>
guarded_vectors::function vectors_of() noexcept {
  return reinterpret_cast<guarded_vectors::function>(of_each<T, F>);
}

}  // namespace

const guarded_vectors guarded_functions = {{
#define TROUPE_MATH_1(name) {},
#define TROUPE_MATH_GUARDED(name)                      \
  {vectors_of<float, scalar_functions::name<float>>(), \
   vectors_of<double, scalar_functions::name<double>>()},
#define TROUPE_MATH_2(name) {},
#include "troupe/devices/math_functions.def"
}};

}  // namespace troupe::cpu_kernels::TROUPE_ISA
