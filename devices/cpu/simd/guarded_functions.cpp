// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/simd/vectors.hpp"
#include "troupe/devices/scalar_functions.hpp"
#ifdef __AVX2__
#include <immintrin.h>

#include "troupe/devices/cpu/simd/guarded_functions.hpp"
#endif

#ifdef TROUPE_GUARDED_FUNCTIONS

// The functions of whole vectors that scalar_functions.hpp declares: those of this instruction set,
// for the loops that the compiler vectorises, and for code that is made at run time. Their names
// are those of the x86-64 vector function ABI: a letter for the instruction set, the number of
// elements, a v for the argument.
#if defined(__AVX512F__)
#define TROUPE_FLOATS(name) _ZGVeN16v_##name
#define TROUPE_DOUBLES(name) _ZGVeN8v_##name
#elif defined(__AVX2__)
#define TROUPE_FLOATS(name) _ZGVdN8v_##name
#define TROUPE_DOUBLES(name) _ZGVdN4v_##name
#else
#define TROUPE_FLOATS(name) _ZGVbN4v_##name
#define TROUPE_DOUBLES(name) _ZGVbN2v_##name
#endif

namespace troupe::cpu_kernels::TROUPE_ISA {

namespace {

#ifdef __AVX2__

/// Returns true if no number is less than `from`, greater than `to` or NaN.
bool all_between(vector<float> x, float from, float to) noexcept {
#if defined(__AVX512F__)
  const auto above = _mm512_cmp_ps_mask(x, _mm512_set1_ps(from), _CMP_GE_OQ);
  return _mm512_mask_cmp_ps_mask(above, x, _mm512_set1_ps(to), _CMP_LE_OQ) == 0xffff;
#else
  const auto above = _mm256_cmp_ps(x, _mm256_set1_ps(from), _CMP_GE_OQ);
  const auto below = _mm256_cmp_ps(x, _mm256_set1_ps(to), _CMP_LE_OQ);
  return _mm256_movemask_ps(_mm256_and_ps(above, below)) == 0xff;
#endif
}

bool all_between(vector<double> x, double from, double to) noexcept {
#if defined(__AVX512F__)
  const auto above = _mm512_cmp_pd_mask(x, _mm512_set1_pd(from), _CMP_GE_OQ);
  return _mm512_mask_cmp_pd_mask(above, x, _mm512_set1_pd(to), _CMP_LE_OQ) == 0xff;
#else
  const auto above = _mm256_cmp_pd(x, _mm256_set1_pd(from), _CMP_GE_OQ);
  const auto below = _mm256_cmp_pd(x, _mm256_set1_pd(to), _CMP_LE_OQ);
  return _mm256_movemask_pd(_mm256_and_pd(above, below)) == 0xf;
#endif
}

template <class T, template <class> class Function>
__attribute__((noinline)) vector<T> of_each(vector<T> x) noexcept {
  alignas(vector_bytes) T numbers[length_of<T>];
  store(numbers, x);
#pragma GCC ivdep
#pragma GCC unroll 1
  for (int i = 0; i < length_of<T>; ++i) numbers[i] = Function<T>::apply(numbers[i]);
  return load(numbers);
}

template <class T, template <class> class Function>
inline vector<T> result(vector<T> x, vector<T> (*quick)(vector<T>) noexcept) noexcept {
  if constexpr (requires { Function<T>::of_all(x); }) {
    return Function<T>::of_all(x);
  } else {
    if constexpr (Function<T>::to > guarded::limits<T>::greatest) return quick(x);
    const bool usual = all_between(x, Function<T>::from, Function<T>::to);
    return __builtin_expect(usual, true) ? quick(x) : of_each<T, Function>(x);
  }
}

#define TROUPE_RESULT(T, name, x, quick) result<T, guarded::name>(x, quick)

#else

// Older CPUs are left with glibc's: without choices of 64 bits, others would be slow, too.
#define TROUPE_RESULT(T, name, x, quick) quick(x)

#endif

}  // namespace

#define TROUPE_MATH_GUARDED(name)                                                      \
  extern "C" vector<float> TROUPE_FLOATS(name##f)(vector<float>) noexcept;             \
  extern "C" vector<double> TROUPE_DOUBLES(name)(vector<double>) noexcept;             \
  extern "C" vector<float> TROUPE_FLOATS(troupe_##name##f)(vector<float> x) noexcept { \
    return TROUPE_RESULT(float, name, x, TROUPE_FLOATS(name##f));                      \
  }                                                                                    \
  extern "C" vector<double> TROUPE_DOUBLES(troupe_##name)(vector<double> x) noexcept { \
    return TROUPE_RESULT(double, name, x, TROUPE_DOUBLES(name));                       \
  }
#include "troupe/devices/math_functions.def"

}  // namespace troupe::cpu_kernels::TROUPE_ISA

#endif
