// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "troupe/devices/attributes.hpp"
#include "troupe/devices/scalar_functions.hpp"

/// The folds of cumulative operations, on all devices. A fold has the types of its elements, states
/// and results; `merge` takes the state of elements and that of later ones. A fold that is not
/// `divisible` has states that are worth nothing apart from those before.

namespace troupe {

/// Sum, in a type that is wide enough or wraps.
template <class In, class Wide, class Out>
struct cumulative_sum {
  using in = In;
  using state = Wide;
  using out = Out;
  static constexpr bool divisible = true;

  static constexpr state start() noexcept { return state(0); }
  static constexpr state add(state s, In x) noexcept { return s + static_cast<state>(x); }
  static constexpr state merge(state s, state later) noexcept { return s + later; }
  static constexpr Out value(state s) noexcept { return static_cast<Out>(s); }
};

/// Product, likewise. That of some floats may be too large or too small for their type where the
/// product of all up to them is not.
template <class In, class Wide, class Out>
struct cumulative_product {
  using in = In;
  using state = Wide;
  using out = Out;
  static constexpr bool divisible = std::is_integral_v<state>;

  static constexpr state start() noexcept { return state(1); }
  static constexpr state add(state s, In x) noexcept { return s * static_cast<state>(x); }
  static constexpr state merge(state s, state later) noexcept { return s * later; }
  static constexpr Out value(state s) noexcept { return static_cast<Out>(s); }
};

/// Product of floats that neither overflows nor underflows before it is a result: a number times a
/// power of 2, which takes more steps than a plain one.
template <class T>
struct scaled_product {
  using in = T;
  using out = T;
  static constexpr bool divisible = true;

  struct state {
    T number;            ///< 0, infinity, NaN, or from `least` to 1 / least
    std::int64_t power;  ///< of `unit`
  };

  static constexpr state start() noexcept { return {T(1), 0}; }
  static constexpr state add(const state& s, T x) noexcept { return merge(s, scaled(x)); }
  static constexpr state merge(const state& s, const state& later) noexcept {
    const auto product = scaled(s.number * later.number);
    return {product.number, product.power + s.power + later.power};
  }
  static constexpr T value(const state& s) noexcept {
    auto out = s.number;
    for (auto n = s.power < 4 ? s.power : 4; n > 0; --n) out *= unit;
    for (auto n = s.power > -4 ? s.power : -4; n < 0; ++n) out /= unit;
    return out;
  }

 private:
  static constexpr int half = std::numeric_limits<T>::max_exponent / 2;
  static constexpr T power_of_2(int n) noexcept {
    T out = 1;
    for (; n > 0; --n) out *= 2;
    return out;
  }
  static constexpr T unit = power_of_2(half), greatest = power_of_2(half - 4), least = 1 / greatest;

  static constexpr state scaled(T x) noexcept {
    std::int64_t power = 0;
    if (!scalar_functions::isfinite(x) || x == T(0)) return {x, power};
    for (; scalar_functions::abs(x) > greatest; ++power) x /= unit;
    for (; scalar_functions::abs(x) < least; --power) x *= unit;
    return {x, power};
  }
};

/// Greatest or smallest so far, or NaN once there was one.
template <class T, bool Greatest>
struct cumulative_extreme {
  using in = T;
  using state = T;
  using out = T;
  static constexpr bool divisible = true;

  static constexpr state start() noexcept {
    using limits = std::numeric_limits<T>;
    if constexpr (limits::has_infinity) return Greatest ? -limits::infinity() : limits::infinity();
    else return Greatest ? limits::lowest() : limits::max();
  }
  static constexpr state add(state s, T x) noexcept {
    return (Greatest ? x > s : x < s) || x != x ? x : s;
  }
  static constexpr state merge(state s, state later) noexcept { return add(s, later); }
  static constexpr T value(state s) noexcept { return s; }
};

/// Logarithm of the sum of the exponentials, of their distances from the greatest element.
template <class In, class Real, class Out>
struct cumulative_logsumexp {
  using in = In;
  using out = Out;
  static constexpr bool divisible = true;

  struct state {
    Real most, sum;
  };

  static constexpr state start() noexcept {
    return {-std::numeric_limits<Real>::infinity(), Real(0)};
  }
  static constexpr state add(const state& s, In x) noexcept {
    const auto one = static_cast<Real>(x);
    if (!scalar_functions::isfinite(one) || !scalar_functions::isfinite(s.most)) {
      // There is no distance at infinity and for NaN: exp(x) says enough.
      const bool finite = scalar_functions::isfinite(one);
      return merge(s, {one, finite ? Real(1) : scalar_functions::exp(one)});
    }
    if (one <= s.most) return {s.most, s.sum + scalar_functions::exp(one - s.most)};
    return {one, s.sum * scalar_functions::exp(s.most - one) + Real(1)};
  }
  static constexpr state merge(const state& s, const state& later) noexcept {
    const Real most = later.most > s.most || later.most != later.most ? later.most : s.most;
    return {most, from(s, origin(most)) + from(later, origin(most))};
  }
  static constexpr Out value(const state& s) noexcept {
    return static_cast<Out>(origin(s.most) + scalar_functions::log(s.sum));
  }

 private:
  static constexpr Real origin(Real x) noexcept {
    return scalar_functions::isfinite(x) ? x : Real(0);
  }
  /// Returns the sum of distances from another origin, which stands for no number if it is lower:
  /// infinity, or NaN, is in the sum then.
  static constexpr Real from(const state& s, Real zero) noexcept {
    const Real apart = origin(s.most) - zero;
    if (s.sum == Real(0)) return Real(0);
    return s.sum * scalar_functions::exp(apart > Real(0) ? Real(0) : apart);
  }
};

/// Calls f(fold) for an operation on elements T; floats are summed up in Sum and multiplied by
/// Product.
template <class T, class Sum, class Product, class F>
constexpr decltype(auto) with_cumulative_fold(cumulative_op op, const F& f) {
  constexpr bool real = std::is_floating_point_v<T>;
  using wide = std::conditional_t<real, Sum, std::uint64_t>;
  // Unsigned sums and products have the bits of signed ones.
  using result = std::conditional_t<real, T, std::int64_t>;
  using product =
      std::conditional_t<real, Product, cumulative_product<T, std::uint64_t, std::int64_t>>;
  using power = std::conditional_t<real, Sum, double>;
  using logarithm = std::conditional_t<real, T, double>;
  switch (op) {
    case cumulative_op::sum: return f(cumulative_sum<T, wide, result>());
    case cumulative_op::prod: return f(product());
    case cumulative_op::max: return f(cumulative_extreme<T, true>());
    case cumulative_op::min: return f(cumulative_extreme<T, false>());
    case cumulative_op::logsumexp: break;
  }
  return f(cumulative_logsumexp<T, power, logarithm>());
}

}  // namespace troupe
