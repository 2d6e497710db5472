// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

/// Enumeration of the members of a plain struct by the compiler.

namespace troupe::detail {

/// Placeholder that initialises a member of any type; never evaluated.
struct anything {
  template <class T>
  operator T() const;
};

inline constexpr std::size_t most = 16;

template <class T, std::size_t... I>
constexpr bool takes(std::index_sequence<I...>) {
  return requires { T{(static_cast<void>(I), anything{})...}; };
}

/// Returns the largest number of members that T can be initialised with.
template <class T, std::size_t N = most + 1>
constexpr std::size_t count() {
  if constexpr (N == 0) return 0;
  else if constexpr (takes<T>(std::make_index_sequence<N>{})) return N;
  else return count<T, N - 1>();
}

/// Calls f with all members of a struct that has only public ones and no bases.
template <class T, class F>
void apply_to_members(T& object, F&& f) {
  constexpr auto n = count<T>();
  static_assert(n <= most, "this struct has too many members: give it a function `members`");
  // clang-format off
  if constexpr (n == 1) { auto& [a] = object; f(a); }
  else if constexpr (n == 2) { auto& [a, b] = object; f(a, b); }
  else if constexpr (n == 3) { auto& [a, b, c] = object; f(a, b, c); }
  else if constexpr (n == 4) { auto& [a, b, c, d] = object; f(a, b, c, d); }
  else if constexpr (n == 5) { auto& [a, b, c, d, e] = object; f(a, b, c, d, e); }
  else if constexpr (n == 6) { auto& [a, b, c, d, e, g] = object; f(a, b, c, d, e, g); }
  else if constexpr (n == 7) { auto& [a, b, c, d, e, g, h] = object; f(a, b, c, d, e, g, h); }
  else if constexpr (n == 8) { auto& [a, b, c, d, e, g, h, i] = object; f(a, b, c, d, e, g, h, i); }
  else if constexpr (n == 9) { auto& [a, b, c, d, e, g, h, i, j] = object; f(a, b, c, d, e, g, h, i, j); }
  else if constexpr (n == 10) { auto& [a, b, c, d, e, g, h, i, j, k] = object; f(a, b, c, d, e, g, h, i, j, k); }
  else if constexpr (n == 11) { auto& [a, b, c, d, e, g, h, i, j, k, l] = object; f(a, b, c, d, e, g, h, i, j, k, l); }
  else if constexpr (n == 12) { auto& [a, b, c, d, e, g, h, i, j, k, l, m] = object; f(a, b, c, d, e, g, h, i, j, k, l, m); }
  else if constexpr (n == 13) { auto& [a, b, c, d, e, g, h, i, j, k, l, m, o] = object; f(a, b, c, d, e, g, h, i, j, k, l, m, o); }
  else if constexpr (n == 14) { auto& [a, b, c, d, e, g, h, i, j, k, l, m, o, p] = object; f(a, b, c, d, e, g, h, i, j, k, l, m, o, p); }
  else if constexpr (n == 15) { auto& [a, b, c, d, e, g, h, i, j, k, l, m, o, p, q] = object; f(a, b, c, d, e, g, h, i, j, k, l, m, o, p, q); }
  else if constexpr (n == 16) { auto& [a, b, c, d, e, g, h, i, j, k, l, m, o, p, q, r] = object; f(a, b, c, d, e, g, h, i, j, k, l, m, o, p, q, r); }
  // clang-format on
}

}  // namespace troupe::detail
