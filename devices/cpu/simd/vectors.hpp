// SPDX-License-Identifier: MIT
#pragma once

namespace troupe::cpu_kernels::TROUPE_ISA {

namespace {

#if defined(__AVX512F__)
constexpr int vector_bytes = 64;
#elif defined(__AVX__)
constexpr int vector_bytes = 32;
#else
constexpr int vector_bytes = 16;
#endif

template <class T, int Bytes = vector_bytes>
struct vector_of {
  typedef T type __attribute__((vector_size(Bytes)));
};

/// As many numbers as a register holds, unless told otherwise.
template <class T, int Bytes = vector_bytes>
using vector = typename vector_of<T, Bytes>::type;

template <class T, int Bytes = vector_bytes>
constexpr int length_of = Bytes / static_cast<int>(sizeof(T));

template <class T, int Bytes = vector_bytes>
vector<T, Bytes> load(const T* from) noexcept {
  vector<T, Bytes> x;
  __builtin_memcpy(&x, from, sizeof x);
  return x;
}

template <class V, class T>
void store(T* to, V x) noexcept {
  __builtin_memcpy(to, &x, sizeof x);
}

}  // namespace

}  // namespace troupe::cpu_kernels::TROUPE_ISA
