// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/philox.hpp"
#include "troupe/devices/scalar_functions.hpp"

/// Random numbers by rejection, for the CPU and for CUDA: one element at a time, from as many words
/// as it takes. All is internal, as in scalar_functions.hpp.

namespace troupe::variate_formulas {

namespace {

namespace f = scalar_functions;

/// The words of one element: the blocks of its counter.
struct words {
  std::uint64_t key, counter;
  std::uint32_t block = 0;
};

/// Two uniform numbers: one in (0, 1], one in [0, 1).
struct pair {
  double open, unit;
};

TROUPE_FUNCTION pair next(words& from) noexcept {
  const auto w = philox::generate(from.key, from.counter, from.block++);
  return {philox::open_double(w.numbers[0], w.numbers[1]),
          philox::unit_double(w.numbers[2], w.numbers[3])};
}

TROUPE_FUNCTION double next_normal(words& from) noexcept {
  const pair u = next(from);
  return f::sqrt(-2 * f::log(u.open)) * f::cos(u.unit * 6.283185307179586);
}

TROUPE_FUNCTION bool is_finite(double x) noexcept { return x - x == 0; }

/// G. Marsaglia, W. W. Tsang, "A simple method for generating gamma variables" (2000), for a
/// concentration from 1 up. The cube is taken less 1, so that large concentrations cancel nothing.
TROUPE_FUNCTION double large_gamma(double concentration, words& from) noexcept {
  const double d = concentration - 1.0 / 3, c = 1 / f::sqrt(9 * d);
  for (;;) {
    const double x = next_normal(from), t = c * x;
    if (t <= -1) continue;
    const double w = t * (3 + t * (3 + t)), u = next(from).open;
    if (u < 1 - 0.0331 * x * x * x * x) return d + d * w;  // sooner than by logarithms
    if (f::log(u) < 0.5 * x * x + d * (f::log1p(w) - w)) return d + d * w;
  }
}

/// The factor u^(1 / concentration) makes a gamma variable of one whose concentration is 1 greater.
TROUPE_FUNCTION double log_of_factor(double concentration, words& from) noexcept {
  return f::log(next(from).open) / concentration;
}

TROUPE_FUNCTION double log_gamma_variate(double concentration, words& from) noexcept {
  if (concentration >= 1) return f::log(large_gamma(concentration, from));
  return f::log(large_gamma(concentration + 1, from)) + log_of_factor(concentration, from);
}

struct gamma {
  static constexpr const char* wrong[] = {"is no concentration: those are positive and finite"};

  TROUPE_FUNCTION int first_wrong(double a, double) noexcept {
    return a > 0 && is_finite(a) ? -1 : 0;
  }
  TROUPE_FUNCTION double draw(double a, double, words& from) noexcept {
    if (a >= 1) return large_gamma(a, from);
    const double x = large_gamma(a + 1, from);
    return x * f::exp(log_of_factor(a, from));
  }
};

/// The share of one gamma variable in the sum of two, by their logarithms: small concentrations
/// give variables that no float holds.
struct beta {
  static constexpr const char* wrong[] = {gamma::wrong[0], gamma::wrong[0]};

  TROUPE_FUNCTION int first_wrong(double a, double b) noexcept {
    return gamma::first_wrong(a, 0) == 0 ? 0 : gamma::first_wrong(b, 0) == 0 ? 1 : -1;
  }
  TROUPE_FUNCTION double draw(double a, double b, words& from) noexcept {
    const double x = log_gamma_variate(a, from), y = log_gamma_variate(b, from);
    if (is_finite(x) || is_finite(y)) return 1 / (1 + f::exp(y - x));
    return next(from).unit * (a + b) < a ? 1 : 0;  // the limit for concentrations near 0
  }
};

/// W. Hörmann, "The transformed rejection method for generating Poisson random variables" (1993),
/// PTRS; for small rates the inverse of the distribution function. log(k!) is taken by Stirling's
/// series, beside the large terms, so that large rates cancel nothing.
struct poisson {
  static constexpr const char* wrong[] = {"is no rate: those are from 0 up to 2**62"};

  TROUPE_FUNCTION int first_wrong(double rate, double) noexcept {
    return rate >= 0 && rate <= 0x1p62 ? -1 : 0;
  }
  TROUPE_FUNCTION double by_inversion(double rate, double u) noexcept {
    double k = 0, p = f::exp(-rate), sum = p;
    while (u >= sum && p > 0x1p-80) {
      k += 1;
      p *= rate / k;
      sum += p;
    }
    return k;
  }
  /// log(rate^k exp(-rate) / k!)
  TROUPE_FUNCTION double log_probability(double rate, double k) noexcept {
    if (k < 16) {
      double factorial = 1;
      for (int i = 2; i <= static_cast<int>(k); ++i) factorial *= i;
      return k * f::log(rate) - rate - f::log(factorial);
    }
    const double away = (k - rate) / rate;
    const double stirling =
        (1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - 1.0 / 1680 / (k * k)) / (k * k)) / (k * k)) / k;
    return -rate * ((1 + away) * f::log1p(away) - away) - 0.5 * f::log(6.283185307179586 * k) -
           stirling;
  }
  TROUPE_FUNCTION double draw(double rate, double, words& from) noexcept {
    if (rate < 10) return by_inversion(rate, next(from).unit);
    const double b = 0.931 + 2.53 * f::sqrt(rate), a = -0.059 + 0.02483 * b;
    const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), quick = 0.9277 - 3.6224 / (b - 2);
    for (;;) {
      const pair random = next(from);
      const double u = random.unit - 0.5, v = random.open, s = 0.5 - f::abs(u);
      const double k = f::floor((2 * a / s + b) * u + rate + 0.43);
      if (s >= 0.07 && v <= quick) return k;
      if (k < 0 || (s < 0.013 && v > s)) continue;
      if (f::log(v * inverse_alpha / (a / (s * s) + b)) <= log_probability(rate, k)) return k;
    }
  }
};

/// C. P. Robert, "Simulation of truncated normal variables" (1995): candidates that are normal,
/// uniform or, in a tail, exponential, whichever are rejected less often.
struct truncated_normal {
  static constexpr const char* wrong[] = {"is no lower bound: that is below the upper one",
                                          "is no upper bound: that is above the lower one"};

  TROUPE_FUNCTION int first_wrong(double low, double high) noexcept {
    return low < high ? -1 : high != high ? 1 : 0;
  }
  /// `least` is where the density is greatest.
  TROUPE_FUNCTION double between(double low, double high, double least, words& from) noexcept {
    for (;;) {
      const pair u = next(from);
      const double x = low + (high - low) * u.unit;
      if (u.open <= f::exp((least - x) * (least + x) / 2)) return x;
    }
  }
  TROUPE_FUNCTION double around_zero(double low, double high, words& from) noexcept {
    if (high - low < 2.5) return between(low, high, 0, from);
    for (;;) {
      const double x = next_normal(from);
      if (x >= low && x <= high) return x;
    }
  }
  TROUPE_FUNCTION double in_tail(double low, double high, words& from) noexcept {
    const double rate = (low + f::hypot(low, 2.0)) / 2;
    if ((high - low) * rate < f::exp(0.5 - low / (2 * rate))) return between(low, high, low, from);
    for (;;) {
      const pair u = next(from);
      const double x = low - f::log(u.open) / rate;
      if (x <= high && u.unit <= f::exp(-0.5 * (x - rate) * (x - rate))) return x;
    }
  }
  TROUPE_FUNCTION double draw(double low, double high, words& from) noexcept {
    double x = 0;
    if (low > 0) x = in_tail(low, high, from);
    else if (high < 0) x = -in_tail(-high, -low, from);
    else x = around_zero(low, high, from);
    return x < low ? low : x > high ? high : x;
  }
};

}  // namespace

}  // namespace troupe::variate_formulas
