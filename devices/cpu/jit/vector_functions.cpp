// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/jit/vector_functions.hpp"

#include <cstddef>

// As in scalar_functions.hpp, which says so to GCC. The names are those of the x86-64 vector
// function ABI: e for AVX-512 and d for AVX2, the number of elements, a v for each argument.
#if defined(TROUPE_X86_64_LEVELS) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
#if __GLIBC_PREREQ(2, 35)
#define TROUPE_VECTOR_FUNCTIONS
#endif
#endif

#ifdef TROUPE_VECTOR_FUNCTIONS
extern "C" {
#define TROUPE_MATH_1(name)   \
  void _ZGVdN8v_##name##f();  \
  void _ZGVdN4v_##name();     \
  void _ZGVeN16v_##name##f(); \
  void _ZGVeN8v_##name();
#define TROUPE_MATH_GUARDED(name)    \
  void _ZGVdN8v_troupe_##name##f();  \
  void _ZGVdN4v_troupe_##name();     \
  void _ZGVeN16v_troupe_##name##f(); \
  void _ZGVeN8v_troupe_##name();
#define TROUPE_MATH_2(name)    \
  void _ZGVdN8vv_##name##f();  \
  void _ZGVdN4vv_##name();     \
  void _ZGVeN16vv_##name##f(); \
  void _ZGVeN8vv_##name();
#include "troupe/devices/math_functions.def"
}
#endif

namespace troupe::cpu_kernels::jit {

namespace {

constexpr int arities[] = {
#define TROUPE_MATH_1(name) 1,
#define TROUPE_MATH_2(name) 2,
#include "troupe/devices/math_functions.def"
};

}  // namespace

int arity(math_function f) noexcept { return arities[static_cast<std::size_t>(f)]; }

const void* vector_function(math_function f, bool wide, bool doubles) noexcept {
#ifdef TROUPE_VECTOR_FUNCTIONS
  using function = void (*)();
  static const function all[][4] = {
#define TROUPE_MATH_1(name) \
  {_ZGVdN8v_##name##f, _ZGVdN4v_##name, _ZGVeN16v_##name##f, _ZGVeN8v_##name},
#define TROUPE_MATH_GUARDED(name)                                                 \
  {_ZGVdN8v_troupe_##name##f, _ZGVdN4v_troupe_##name, _ZGVeN16v_troupe_##name##f, \
   _ZGVeN8v_troupe_##name},
#define TROUPE_MATH_2(name) \
  {_ZGVdN8vv_##name##f, _ZGVdN4vv_##name, _ZGVeN16vv_##name##f, _ZGVeN8vv_##name},
#include "troupe/devices/math_functions.def"
  };
  return reinterpret_cast<const void*>(
      all[static_cast<std::size_t>(f)][(wide ? 2 : 0) + (doubles ? 1 : 0)]);
#else
  (void)f, (void)wide, (void)doubles;
  return nullptr;
#endif
}

}  // namespace troupe::cpu_kernels::jit
