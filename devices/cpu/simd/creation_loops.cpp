// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/simd/creation_loops.hpp"

#include "troupe/devices/complex_number.hpp"
#include "troupe/devices/cpu/simd/random_groups.hpp"

namespace troupe::cpu_kernels::TROUPE_ISA {

namespace {

template <class T>
T value_of(const scalar_attribute& x) noexcept {
  if constexpr (is_complex_number<T>)
    return {static_cast<part_of<T>>(x.real), static_cast<part_of<T>>(x.imaginary)};
  else if constexpr (is_floating(dtype_of<T>())) return static_cast<T>(x.real);
  else return static_cast<T>(x.integer);
}

template <class T>
void fill(void* out, const full_attributes& attributes, std::int64_t, std::int64_t n,
          std::int64_t) {
  T* const to = static_cast<T*>(out);
  const T value = value_of<T>(attributes.value);
  for (std::int64_t i = 0; i < n; ++i) to[i] = value;
}

template <class T>
void arange(void* out, const arange_attributes& attributes, std::int64_t first, std::int64_t n,
            std::int64_t) {
  T* const to = static_cast<T*>(out);
  if constexpr (is_floating(dtype_of<T>())) {
    const double start = attributes.start.real, step = attributes.step.real;
    for (std::int64_t i = 0; i < n; ++i)
      to[i] = static_cast<T>(start + static_cast<double>(first + i) * step);
  } else {
    const std::int64_t start = attributes.start.integer, step = attributes.step.integer;
    for (std::int64_t i = 0; i < n; ++i) to[i] = static_cast<T>(start + (first + i) * step);
  }
}

/// Integers are rounded down, as NumPy does; out of their range is the smallest one, as in a cast.
template <class T>
T rounded(double x) noexcept {
  if constexpr (is_unsigned(dtype_of<T>())) {
    x = __builtin_floor(x);
    if (x >= 0x1p63 && x < 0x1p64) return static_cast<T>(x);
    return static_cast<T>(rounded<std::int64_t>(x));
  } else if constexpr (is_integer(dtype_of<T>())) {
    constexpr double low = sizeof(T) == 4 ? -0x1p31 : -0x1p63;
    x = __builtin_floor(x);
    return static_cast<T>((x >= low) & (x < -low) ? x : low);
  } else return static_cast<T>(x);
}

template <class T>
void linspace(void* out, const linspace_attributes& attributes, std::int64_t first, std::int64_t n,
              std::int64_t size) {
  T* const to = static_cast<T*>(out);
  const double start = attributes.start, step = attributes.step;
  for (std::int64_t i = 0; i < n; ++i)
    to[i] = rounded<T>(start + static_cast<double>(first + i) * step);
  if (attributes.with_stop && size > 1 && first + n == size)
    to[n - 1] = rounded<T>(attributes.stop);
}

}  // namespace

constexpr creation_loops makers = {
    .fill = {fill<bool>, fill<std::int32_t>, fill<std::int64_t>, fill<std::uint64_t>, fill<float>,
             fill<double>, fill<float16_t>, fill<bfloat16_t>, fill<std::int8_t>, fill<std::int16_t>,
             fill<std::uint8_t>, fill<std::uint16_t>, fill<std::uint32_t>,
             fill<complex_number<float>>, fill<complex_number<double>>},
    .arange = {nullptr, arange<std::int32_t>, arange<std::int64_t>, arange<std::uint64_t>,
               arange<float>, arange<double>},
    .linspace = {nullptr, linspace<std::int32_t>, linspace<std::int64_t>, linspace<std::uint64_t>,
                 linspace<float>, linspace<double>},
    .uniform = {nullptr, nullptr, nullptr, nullptr, random<uniform_float>, random<uniform_double>},
    .normal = {nullptr, nullptr, nullptr, nullptr, random<normal_float>, random<normal_double>},
    .randint = {nullptr, random<random_integer<std::int32_t>>, random<random_integer<std::int64_t>>,
                random<random_integer<std::uint64_t>>},
};

}  // namespace troupe::cpu_kernels::TROUPE_ISA
