// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/devices/scalar_functions.hpp"
#include "troupe/devices/update.hpp"

/// The rules of update.hpp for one element, for the CPU and for CUDA. All is internal: the
/// same source is compiled for several instruction sets, and no two of those compilations may share
/// a function.

namespace troupe::update_formulas {

namespace {

/// The numbers in the formulas, as the elements are.
template <class T>
struct factors {
  factors(const update_attributes& a) noexcept
      : limit(static_cast<T>(a.limit)),
        rate(static_cast<T>(a.rate)),
        decay(static_cast<T>(a.decay)),
        first(static_cast<T>(a.first)),
        not_first(static_cast<T>(1 - a.first)),
        second(static_cast<T>(a.second)),
        not_second(static_cast<T>(1 - a.second)),
        epsilon(static_cast<T>(a.epsilon)),
        correction(static_cast<T>(a.correction)) {}

  T limit, rate, decay, first, not_first, second, not_second, epsilon, correction;
};

template <class T>
TROUPE_FUNCTION T clipped(T g, T scale, const factors<T>& f) noexcept {
  g *= scale;
  g = g > f.limit ? f.limit : g;
  return g < -f.limit ? -f.limit : g;
}

/// A parameter that is infinite stays so where nothing decays.
template <class T>
TROUPE_FUNCTION T decayed(T g, T p, const factors<T>& f) noexcept {
  return f.decay != T(0) ? g + f.decay * p : g;
}

template <class T>
TROUPE_FUNCTION void keep_square(T& mean, T g, const factors<T>& f) noexcept {
  mean = f.second * mean + f.not_second * (g * g);
}

enum class momentum { none, plain, nesterov };

template <momentum Kind>
struct sgd {
  template <class T>
  TROUPE_FUNCTION void apply(const factors<T>& f, T g, T& p, T& a, T&, T&) noexcept {
    g = decayed(g, p, f);
    if constexpr (Kind != momentum::none) {
      a = f.first * a + g;
      g = Kind == momentum::nesterov ? g + f.first * a : a;
    }
    p -= f.rate * g;
  }
};

template <bool Decoupled, bool Amsgrad = false>
struct adam {
  template <class T>
  TROUPE_FUNCTION void apply(const factors<T>& f, T g, T& p, T& a, T& b, T& c) noexcept {
    if constexpr (Decoupled) p = decayed(p, -p, f);
    else g = decayed(g, p, f);
    a = f.first * a + f.not_first * g;
    keep_square(b, g, f);
    T spread = b;
    if constexpr (Amsgrad) spread = c = b > c || b != b ? b : c;
    p -= f.rate * (a / (scalar_functions::sqrt(spread) * f.correction + f.epsilon));
  }
};

template <bool Centred, bool Momentum>
struct rmsprop {
  template <class T>
  TROUPE_FUNCTION void apply(const factors<T>& f, T g, T& p, T& a, T& b, T& c) noexcept {
    g = decayed(g, p, f);
    keep_square(a, g, f);
    T spread = a;
    if constexpr (Centred) {
      b = f.second * b + f.not_second * g;
      spread = a - b * b;
      spread = spread < T(0) ? T(0) : spread;
    }
    T change = g / (scalar_functions::sqrt(spread) + f.epsilon);
    if constexpr (Momentum) {
      T& speed = Centred ? c : b;
      speed = f.first * speed + change;
      change = speed;
    }
    p -= f.rate * change;
  }
};

struct adagrad {
  template <class T>
  TROUPE_FUNCTION void apply(const factors<T>& f, T g, T& p, T& a, T&, T&) noexcept {
    g = decayed(g, p, f);
    a += g * g;
    p -= f.rate * (g / (scalar_functions::sqrt(a) + f.epsilon));
  }
};

struct lion {
  template <class T>
  TROUPE_FUNCTION void apply(const factors<T>& f, T g, T& p, T& a, T&, T&) noexcept {
    p = decayed(p, -p, f);
    p -= f.rate * scalar_functions::sign(f.first * a + f.not_first * g);
    a = f.second * a + f.not_second * g;
  }
};

template <update_rule>
struct formula;

template <>
struct formula<update_rule::sgd> : sgd<momentum::none> {};
template <>
struct formula<update_rule::sgd_momentum> : sgd<momentum::plain> {};
template <>
struct formula<update_rule::sgd_nesterov> : sgd<momentum::nesterov> {};
template <>
struct formula<update_rule::adam> : adam<false> {};
template <>
struct formula<update_rule::adamw> : adam<true> {};
template <>
struct formula<update_rule::adam_amsgrad> : adam<false, true> {};
template <>
struct formula<update_rule::adamw_amsgrad> : adam<true, true> {};
template <>
struct formula<update_rule::rmsprop> : rmsprop<false, false> {};
template <>
struct formula<update_rule::rmsprop_momentum> : rmsprop<false, true> {};
template <>
struct formula<update_rule::rmsprop_centred> : rmsprop<true, false> {};
template <>
struct formula<update_rule::rmsprop_centred_momentum> : rmsprop<true, true> {};
template <>
struct formula<update_rule::adagrad> : adagrad {};
template <>
struct formula<update_rule::lion> : lion {};

}  // namespace

}  // namespace troupe::update_formulas
