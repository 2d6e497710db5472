// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/simd/rows.hpp"

#if defined(__F16C__)
#include <immintrin.h>
#endif

namespace troupe::cpu_kernels::TROUPE_ISA {

namespace {

template <class To>
struct conversion {
  template <class From>
  static To apply(From x) noexcept {
    if constexpr (is_complex_number<From>) {
      if constexpr (is_complex_number<To>)
        return To(static_cast<part_of<To>>(x.re), static_cast<part_of<To>>(x.im));
      else return x != From(0);
    } else if constexpr (is_complex_number<To>) return To(conversion<part_of<To>>::apply(x));
    else if constexpr (is_narrow_float(dtype_of<From>()))
      return conversion::apply(static_cast<float>(x));
    else if constexpr (dtype_of<To>() == boolean) return x != From(0);
    else if constexpr (is_floating(dtype_of<From>()) && std::is_same_v<To, std::uint64_t>) {
      const auto low = conversion<std::int64_t>::apply(x);
      return x >= From(0x1p63) && x < From(0x1p64) ? static_cast<std::uint64_t>(x)
                                                   : static_cast<std::uint64_t>(low);
    } else if constexpr (is_floating(dtype_of<From>()) && is_integer(dtype_of<To>())) {
      constexpr From low = sizeof(To) == 4 ? From(-0x1p31) : From(-0x1p63);
      return static_cast<To>((x >= low) & (x < -low) ? x : low);
    } else return static_cast<To>(x);
  }
};

#if defined(__F16C__)
// The CPU's own conversions take a third of the time. The bits are those of `narrow_float`.

constexpr std::int64_t together = 8;

void floats_of_halves(void* out, const void* const* inputs, std::int64_t n) {
  auto* const to = static_cast<float*>(out);
  const auto* const from = static_cast<const float16_t*>(inputs[0]);
  std::int64_t i = 0;
  for (; i + together <= n; i += together) {
    const auto halves = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i));
    _mm256_storeu_ps(to + i, _mm256_cvtph_ps(halves));
  }
  for (; i < n; ++i) to[i] = from[i];
}

void halves_of_floats(void* out, const void* const* inputs, std::int64_t n) {
  auto* const to = static_cast<float16_t*>(out);
  const auto* const from = static_cast<const float*>(inputs[0]);
  const auto each = [](int bits) { return _mm_set1_epi16(static_cast<short>(bits)); };
  const auto sign = each(0x8000), infinity = each(0x7c00), nan = each(0x7e00);
  std::int64_t i = 0;
  for (; i + together <= n; i += together) {
    const auto halves = _mm256_cvtps_ph(_mm256_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT);
    const auto is_nan = _mm_cmpgt_epi16(_mm_andnot_si128(sign, halves), infinity);
    const auto without_payload = _mm_or_si128(_mm_and_si128(halves, sign), nan);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i),
                     _mm_blendv_epi8(halves, without_payload, is_nan));
  }
  for (; i < n; ++i) to[i] = static_cast<float16_t>(from[i]);
}
#endif

/// Real numbers: narrow integers are made of those that they are computed in.
constexpr bool direct(dtype from, dtype to) noexcept {
  return is_floating(to) || !is_narrow(to) || computed(to) == from;
}

constexpr cast_loops make_table() {
  cast_loops table{};
  const auto add = [&]<class From, class To>(From, To) {
    table.loops[number_of(number_dtype<From>())][number_of(number_dtype<To>())] =
        row_loop<conversion<To>, true, To, read_as<From>>::run;
  };
  for (const auto wide : {complex64, complex128}) {
    visit_complex(wide, [&](auto zero) {
      for (const auto from : real_dtypes) visit(from, [&](auto one) { add(one, zero); });
      add(zero, bool{});
      add(zero, complex_number<float>{});
      add(zero, complex_number<double>{});
    });
  }
  for (const auto from : real_dtypes) {
    for (const auto to : real_dtypes) {
      visit(from, [&]<class From>(From) {
        visit(to, [&]<class To>(To) {
          if constexpr (direct(dtype_of<From>(), dtype_of<To>())) add(From{}, To{});
        });
      });
    }
  }
#if defined(__F16C__)
  table.loops[number_of(float16)][number_of(float32)] = floats_of_halves;
  table.loops[number_of(float32)][number_of(float16)] = halves_of_floats;
#endif
  return table;
}

}  // namespace

constexpr cast_loops conversion_loops = make_table();

}  // namespace troupe::cpu_kernels::TROUPE_ISA
