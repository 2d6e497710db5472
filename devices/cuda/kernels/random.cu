// SPDX-License-Identifier: MIT
#include "troupe/devices/cuda/kernels/cuda_kernels.hpp"

#include <cmath>
#include <type_traits>

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/cuda/grid.hpp"
#include "troupe/devices/philox.hpp"
#include "troupe/devices/scalar_functions.hpp"

namespace troupe::cuda {

namespace {

// Each distribution makes elements from the words of one counter, as cpu/simd/random_groups.hpp
// does for 16 counters at a time.

template <class T>
struct uniform {
  using element = T;
  using attributes = uniform_attributes;
  T low, width, highest;

  explicit uniform(const attributes& a) noexcept
      : low(static_cast<T>(a.low)), width(static_cast<T>(a.high - a.low)) {
    // Rounding must not reach the upper bound.
    const auto high = static_cast<T>(a.high);
    highest = high > low ? std::nextafter(high, low) : low;
  }
  TROUPE_BOTH void make(float (&out)[4], const philox::words& w) const {
    for (int k = 0; k < 4; ++k) out[k] = stretched(philox::unit_float(w.numbers[k]));
  }
  TROUPE_BOTH void make(double (&out)[2], const philox::words& w) const {
    for (int k = 0; k < 2; ++k)
      out[k] = stretched(philox::unit_double(w.numbers[2 * k], w.numbers[2 * k + 1]));
  }
  TROUPE_BOTH T stretched(T unit) const {
    const T x = unit * width + low;
    return x < highest ? x : highest;
  }
};

/// Normal distribution by the method of Box and Muller.
template <class T>
struct normal {
  using element = T;
  using attributes = normal_attributes;
  T mean, deviation;

  explicit normal(const attributes& a) noexcept
      : mean(static_cast<T>(a.mean)), deviation(static_cast<T>(a.standard_deviation)) {}
  TROUPE_BOTH void make(float (&out)[4], const philox::words& w) const {
    for (int k = 0; k < 4; k += 2)
      from_polar(out + k, philox::open_float(w.numbers[k]),
                 philox::unit_float(w.numbers[k + 1]) * 6.2831853071795865f);
  }
  TROUPE_BOTH void make(double (&out)[2], const philox::words& w) const {
    from_polar(out, philox::open_double(w.numbers[0], w.numbers[1]),
               philox::unit_double(w.numbers[2], w.numbers[3]) * 6.283185307179586);
  }
  TROUPE_BOTH void from_polar(T* out, T open, T angle) const {
    const T radius = scalar_functions::sqrt(-2 * scalar_functions::log(open)) * deviation;
    out[0] = radius * scalar_functions::cos(angle) + mean;
    out[1] = radius * scalar_functions::sin(angle) + mean;
  }
};

template <class T>
struct integers {
  using element = T;
  using attributes = randint_attributes;
  std::uint64_t low, range;

  explicit integers(const attributes& a) noexcept
      : low(static_cast<std::uint64_t>(a.low)), range(static_cast<std::uint64_t>(a.high) - low) {}
  TROUPE_BOTH void make(T (&out)[2], const philox::words& w) const {
    for (int k = 0; k < 2; ++k)
      out[k] = static_cast<T>(low + philox::below(range, w.numbers[2 * k], w.numbers[2 * k + 1]));
  }
};

constexpr auto lanes = static_cast<std::int64_t>(philox::lanes);

/// Draws the elements of a counter, which are 16 apart: see philox.hpp.
template <class Distribution>
struct draw {
  using element = typename Distribution::element;
  static constexpr int made = std::is_same_v<element, float> ? 4 : 2;

  Distribution distribution;
  random_source source;
  element* out;
  std::int64_t size;

  TROUPE_BOTH void operator()(std::int64_t i) const {
    element elements[made];
    distribution.make(elements,
                      philox::generate(source.key, source.counter + static_cast<std::uint64_t>(i)));
    const auto first = i / lanes * lanes * made + i % lanes;
    for (int k = 0; k < made; ++k) {
      if (first + k * lanes < size) out[first + k * lanes] = elements[k];
    }
  }
};

template <class Distribution>
void launch(const kernel_args& args, stream& on) {
  const array& out = args.outputs[0];
  const auto& a = *static_cast<const typename Distribution::attributes*>(args.attributes);
  using draws = draw<Distribution>;
  constexpr auto group = lanes * draws::made;
  for_each(on, (out.size() + group - 1) / group * lanes,
           draws{Distribution(a), a.source, out.as<typename Distribution::element>(), out.size()});
}

template <class Distribution>
constexpr kernel kernel_of{.launch = launch<Distribution>};

}  // namespace

const kernel* uniform_kernel(dtype type) noexcept {
  return type == float32   ? &kernel_of<uniform<float>>
         : type == float64 ? &kernel_of<uniform<double>>
                           : nullptr;
}

const kernel* normal_kernel(dtype type) noexcept {
  return type == float32   ? &kernel_of<normal<float>>
         : type == float64 ? &kernel_of<normal<double>>
                           : nullptr;
}

const kernel* randint_kernel(dtype type) noexcept {
  return type == int32    ? &kernel_of<integers<std::int32_t>>
         : type == int64  ? &kernel_of<integers<std::int64_t>>
         : type == uint64 ? &kernel_of<integers<std::uint64_t>>
                          : nullptr;
}

}  // namespace troupe::cuda
