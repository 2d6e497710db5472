// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <iostream>
#include <limits>

#include "troupe/nn/nn.hpp"
#include "troupe/troupe.hpp"

/// Writes what the expressions of a document are: a line for each, with its number, and for each
/// array its shape and elements.

namespace troupe::testing {

inline void write(const tensor& x) {
  std::cout << ' ' << to_string(x.shape());
  for (const double number : x.to_vector<double>()) std::cout << ' ' << number;
}

template <class F>
void show(int line, F f) {
  std::cout.precision(std::numeric_limits<double>::max_digits10);
  std::cout << line << ':';
  if constexpr (std::is_void_v<decltype(f())>) {
    f();
  } else {
    const auto result = f();
    using result_type = std::remove_const_t<decltype(result)>;
    if constexpr (std::same_as<result_type, tensor>) {
      write(result);
    } else if constexpr (std::same_as<result_type, std::vector<tensor>>) {
      for (const auto& one : result) write(one);
    } else if constexpr (std::same_as<result_type, std::vector<double>>) {
      write(from_data(result));
    } else if constexpr (std::same_as<result_type, double>) {
      write(tensor(result));
    }
  }
  std::cout << '\n';
}

}  // namespace troupe::testing

using troupe::testing::show;
