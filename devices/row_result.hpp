// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>

#include "troupe/devices/complex_number.hpp"
#include "troupe/devices/elementwise.hpp"

namespace troupe {

namespace detail {

template <elementwise_op Op, class T>
constexpr auto row_result_of() {
  constexpr auto domain = info(Op).domain;
  if constexpr (domain == elementwise_domain::predicate) return bool{};
  else if constexpr (domain == elementwise_domain::part) return part_of<T>{};
  else if constexpr (domain == elementwise_domain::pair) return complex_number<T>{};
  else return T{};
}

}  // namespace detail

/// The type of the results of an operation that computes in T.
template <elementwise_op Op, class T>
using row_result = decltype(detail::row_result_of<Op, T>());

/// The type of its first input.
template <elementwise_op Op, class T>
using first_input = std::conditional_t<info(Op).domain == elementwise_domain::selection, bool, T>;

}  // namespace troupe
