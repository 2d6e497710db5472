// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "troupe/tensor/autograd/tensor_function.hpp"

/// Functions of several tensors that are differentiated with respect to some of them.

namespace troupe::detail {

/// Throws if a function that takes so many tensors, or a vector of them if that is 0, gets others.
void check_parameters(std::size_t taken, std::size_t given, const char* who, caller where);

/// Returns numbers of a function's arguments. Throws if there are none, and for one that the
/// function does not take or that is named twice.
std::vector<std::size_t> checked_numbers(const std::string& who,
                                         const std::vector<std::int64_t>& numbers,
                                         std::size_t parameters, caller where);

/// Function of those among another one's arguments that have these numbers: the others stay as they
/// are.
template <class F>
struct of_chosen {
  F& f;
  const std::vector<tensor>& all;
  const std::vector<std::size_t>& numbers;

  decltype(auto) operator()(const std::vector<tensor>& chosen) const {
    auto in = all;
    for (std::size_t i = 0; i < numbers.size(); ++i) in[numbers[i]] = chosen[i];
    return call_with(f, in);
  }
};

/// Returns a function of F's arguments that computes something of `f` as a function of some of
/// them: `compute` gets that function of a vector, their values, and the place of the call.
template <class F, class Compute>
auto with_respect_to(const char* who, F f, std::initializer_list<int> numbers, caller where,
                     Compute compute) {
  static_assert(!of_a_vector<F>,
                "a function of a vector is differentiated with respect to each tensor in it");
  return called_like<F>(
      [held = function<F>{std::move(f)}, compute,
       chosen = checked_numbers(who, {numbers.begin(), numbers.end()}, parameters_of<F>, where)](
          const std::vector<tensor>& in, caller at) {
        std::vector<tensor> values;
        for (const auto i : chosen) values.push_back(in[i]);
        of_chosen<F> g{held.f, in, chosen};
        return compute(g, values, at);
      });
}

}  // namespace troupe::detail
