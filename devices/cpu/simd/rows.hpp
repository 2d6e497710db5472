// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "troupe/devices/cpu/simd/division.hpp"
#include "troupe/devices/cpu/simd/loops.hpp"
#include "troupe/devices/row_result.hpp"
#include "troupe/devices/scalar_functions.hpp"

namespace troupe::cpu_kernels::TROUPE_ISA {

namespace {

/// A loop is made of blocks of this many elements, a multiple of every vector's length.
constexpr std::int64_t block = 16;

/// The type as which elements are read: bool as the bytes 0 and 1, of which GCC makes vectors.
template <class T>
using read_as = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;

/// The loop that applies `Row` to inputs of types `In` and stores results of type `R`.
///
/// A vector function may differ from its scalar twin in the last bit, and an element's result must
/// not depend on where it lies. So unless the row is exact, what is left after the last whole block
/// is padded to a block.
template <class Row, bool Exact, class R, class... In>
struct row_loop {
  static __attribute__((noipa)) void run_blocks(R* out, std::int64_t count, const In*... in) {
    for (std::int64_t b = 0; b < count; ++b) {
#pragma GCC ivdep
#pragma GCC unroll 1
      for (std::int64_t i = 0; i < block; ++i) out[i] = static_cast<R>(Row::apply(in[i]...));
      out += block;
      ((in += block), ...);
    }
  }

  static void run_padded(R* out, std::int64_t n, const In*... in) {
    alignas(64) unsigned char room[sizeof...(In)][block * largest_element];
    alignas(64) R result[block];
    int k = 0;
    const auto padded = [&]<class T>(const T* from) {
      T* to = reinterpret_cast<T*>(room[k++]);
      for (std::int64_t i = 0; i < block; ++i) to[i] = from[i < n ? i : 0];
      return static_cast<const T*>(to);
    };
    run_blocks(result, 1, padded(in)...);
    for (std::int64_t i = 0; i < n; ++i) out[i] = result[i];
  }

  static void run_typed(R* out, std::int64_t n, const In*... in) {
    const std::int64_t whole = n / block;
    const std::int64_t done = whole * block;
    if (whole != 0) run_blocks(out, whole, in...);
    if (done == n) return;
    if constexpr (Exact) {
      for (std::int64_t i = done; i < n; ++i) {
        asm volatile("" : "+r"(i));  // a few elements are not worth a vector loop of their own
        out[i] = static_cast<R>(Row::apply(in[i]...));
      }
    } else {
      run_padded(out + done, n - done, (in + done)...);
    }
  }

  static void run(void* out, const void* const* inputs, std::int64_t n) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      run_typed(static_cast<R*>(out), n, static_cast<const In*>(inputs[I])...);
    }
    (std::index_sequence_for<In...>{});
  }
};

/// The loop of one row for computing type `T`, or null where the row does not compute in it.
template <class Row, class T>
constexpr elementwise_loop loop_of() {
  constexpr auto types = types_of(Row::op, number_dtype<T>());
  constexpr auto domain = info(Row::op).domain;
  if constexpr (!types || types->compute != number_dtype<T>()) {
    return nullptr;
  } else {
    constexpr bool exact =
        !is_complex_number<T> &&
        (!is_floating(number_dtype<T>()) ||
         (domain != elementwise_domain::floating && domain != elementwise_domain::numeric));
    constexpr bool divides = Row::op == elementwise_op::floor_divide ||
                             Row::op == elementwise_op::remainder ||
                             Row::op == elementwise_op::fmod;
    if constexpr (divides) return division_loop<Row, T>::run;
    else return Row::template loop<exact, row_result<Row::op, T>, T>;
  }
}

/// The loop for elements that lie as integers T, if such ones of this dtype are done as stored.
template <class Row, class T>
constexpr elementwise_loop stored_loop(dtype t) {
  if constexpr (done_as_stored(Row::op, number_dtype<T>())) {
    using result = row_result<Row::op, T>;
    if (done_as_stored(Row::op, t)) return Row::template loop<true, result, T>;
  }
  return nullptr;
}

template <class Row>
constexpr void fill_row(elementwise_loops& table) {
  elementwise_loop(&row)[dtype_count] = table.loops[static_cast<int>(Row::op)];
  for_each_computed([&](auto zero) {
    row[number_of(dtype_of<decltype(zero)>())] = loop_of<Row, decltype(zero)>();
  });
  row[number_of(int8)] = stored_loop<Row, std::int8_t>(int8);
  row[number_of(uint8)] = stored_loop<Row, std::uint8_t>(uint8);
  row[number_of(int16)] = stored_loop<Row, std::int16_t>(int16);
  for (const auto t : {uint16, float16, bfloat16})
    row[number_of(t)] = stored_loop<Row, std::uint16_t>(t);
  row[number_of(uint32)] = stored_loop<Row, std::uint32_t>(uint32);
  row[number_of(complex64)] = loop_of<Row, complex_number<float>>();
  row[number_of(complex128)] = loop_of<Row, complex_number<double>>();
}

}  // namespace

}  // namespace troupe::cpu_kernels::TROUPE_ISA
