// SPDX-License-Identifier: MIT
#include "troupe/devices/cpu/simd/update_loops.hpp"

#include "troupe/devices/scalar_functions.hpp"

namespace troupe::TROUPE_ISA {

namespace {

/// The numbers in the formulas, as the elements are.
template <class T>
struct factors {
  factors(const update_attributes& a, T s) noexcept
      : scale(s),
        limit(static_cast<T>(a.limit)),
        rate(static_cast<T>(a.rate)),
        decay(static_cast<T>(a.decay)),
        first(static_cast<T>(a.first)),
        not_first(static_cast<T>(1 - a.first)),
        second(static_cast<T>(a.second)),
        not_second(static_cast<T>(1 - a.second)),
        epsilon(static_cast<T>(a.epsilon)),
        correction(static_cast<T>(a.correction)) {}

  T scale, limit, rate, decay, first, not_first, second, not_second, epsilon, correction;
};

template <class T>
inline T clipped(T g, const factors<T>& f) noexcept {
  g *= f.scale;
  g = g > f.limit ? f.limit : g;
  return g < -f.limit ? -f.limit : g;
}

/// A parameter that is infinite stays so where nothing decays.
template <class T>
inline T decayed(T g, T p, const factors<T>& f) noexcept {
  return f.decay != T(0) ? g + f.decay * p : g;
}

template <class T>
inline void keep_square(T& mean, T g, const factors<T>& f) noexcept {
  mean = f.second * mean + f.not_second * (g * g);
}

enum class momentum { none, plain, nesterov };

template <momentum Kind>
struct sgd {
  template <class T>
  static void apply(const factors<T>& f, T g, T& p, T& a, T&, T&) noexcept {
    g = decayed(g, p, f);
    if constexpr (Kind != momentum::none) {
      a = f.first * a + g;
      g = Kind == momentum::nesterov ? g + f.first * a : a;
    }
    p -= f.rate * g;
  }
};

template <bool Decoupled>
struct adam {
  template <class T>
  static void apply(const factors<T>& f, T g, T& p, T& a, T& b, T&) noexcept {
    if constexpr (Decoupled) p = decayed(p, -p, f);
    else g = decayed(g, p, f);
    a = f.first * a + f.not_first * g;
    keep_square(b, g, f);
    p -= f.rate * (a / (scalar_functions::sqrt(b) * f.correction + f.epsilon));
  }
};

template <bool Centred, bool Momentum>
struct rmsprop {
  template <class T>
  static void apply(const factors<T>& f, T g, T& p, T& a, T& b, T& c) noexcept {
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
  static void apply(const factors<T>& f, T g, T& p, T& a, T&, T&) noexcept {
    g = decayed(g, p, f);
    a += g * g;
    p -= f.rate * (g / (scalar_functions::sqrt(a) + f.epsilon));
  }
};

/// Every element is read from all inputs before it is written to any output, which may be in an input's place.
template <class Formula, int States, class T>
void run(void* const* out, const void* const* in, std::int64_t n, const update_attributes& given,
         const void* scale) {
  const factors<T> f(given, *static_cast<const T*>(scale));
  const auto from = [&](int k) { return static_cast<const T*>(in[k]); };
  const auto into = [&](int k) { return static_cast<T*>(out[k]); };
  const T *const p0 = from(0), *const a0 = from(States > 0 ? 1 : 0),
                 *const b0 = from(States > 1 ? 2 : 0), *const c0 = from(States > 2 ? 3 : 0),
                 *const g0 = from(States + 1);
  T *const p1 = into(0), *const a1 = into(States > 0 ? 1 : 0), *const b1 = into(States > 1 ? 2 : 0),
           *const c1 = into(States > 2 ? 3 : 0);
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i) {
    T p = p0[i], a = T(0), b = T(0), c = T(0);
    if constexpr (States > 0) a = a0[i];
    if constexpr (States > 1) b = b0[i];
    if constexpr (States > 2) c = c0[i];
    Formula::apply(f, clipped(g0[i], f), p, a, b, c);
    p1[i] = p;
    if constexpr (States > 0) a1[i] = a;
    if constexpr (States > 1) b1[i] = b;
    if constexpr (States > 2) c1[i] = c;
  }
}

template <update_rule Rule, class Formula>
constexpr void add(update_table_of_loops& table) {
  constexpr int states = info(Rule).states;
  table.at[static_cast<int>(Rule)][0] = run<Formula, states, float>;
  table.at[static_cast<int>(Rule)][1] = run<Formula, states, double>;
}

constexpr update_table_of_loops make_table() {
  using rule = update_rule;
  update_table_of_loops table{};
  add<rule::sgd, sgd<momentum::none>>(table);
  add<rule::sgd_momentum, sgd<momentum::plain>>(table);
  add<rule::sgd_nesterov, sgd<momentum::nesterov>>(table);
  add<rule::adam, adam<false>>(table);
  add<rule::adamw, adam<true>>(table);
  add<rule::rmsprop, rmsprop<false, false>>(table);
  add<rule::rmsprop_momentum, rmsprop<false, true>>(table);
  add<rule::rmsprop_centred, rmsprop<true, false>>(table);
  add<rule::rmsprop_centred_momentum, rmsprop<true, true>>(table);
  add<rule::adagrad, adagrad>(table);
  return table;
}

}  // namespace

constexpr update_table_of_loops update_loops = make_table();

}  // namespace troupe::TROUPE_ISA
