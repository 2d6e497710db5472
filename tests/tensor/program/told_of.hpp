// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "troupe/tensor/program/compile.hpp"
#include "troupe/tests/tensor/program/random_function.hpp"

namespace troupe::testing {

/// Returns what `explain` says of a function that was called with `in`; its results are checked.
template <class F, class... In>
std::string told_of(const F& f, const In&... in) {
  const auto compiled = compile(f);
  const std::vector<tensor> got = compiled(in...), expected = f(in...);
  REQUIRE(got.size() == expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) CHECK(same_bits(got[i], expected[i]));
  return compiled.explain();
}

}  // namespace troupe::testing
