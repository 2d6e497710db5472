// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include "troupe/tensor/tensor.hpp"

/// Functions of tensors, as those that differentiate and map them take them.

namespace troupe::detail {

/// Wrapper whose `f` can be called where the wrapper is constant, even if the call changes `f`.
template <class F>
struct function {
  mutable F f;
};

/// Function of one tensor, as opposed to several in a vector.
template <class F>
concept of_one_tensor = requires(F& f, const tensor& x) {
  f(x);
};

/// Argument of a function: a tensor, or a vector of them.
template <class F>
using argument_of = std::conditional_t<of_one_tensor<F>, const tensor&, const std::vector<tensor>&>;

/// Result of a function: a tensor, or a vector of them.
template <class F>
using result_of_function = std::conditional_t<
    std::same_as<std::decay_t<std::invoke_result_t<F&, argument_of<F>>>, std::vector<tensor>>,
    std::vector<tensor>, tensor>;

/// Function of a vector of tensors with a vector of results.
using tensor_function = std::function<std::vector<tensor>(const std::vector<tensor>&)>;

/// Returns `f`, which has to live as long, as such a function.
template <class F>
tensor_function on_vectors(F& f) {
  return [&f](const std::vector<tensor>& in) {
    const auto call = [&]() -> result_of_function<F> {
      if constexpr (of_one_tensor<F>) return f(in[0]);
      else return f(in);
    };
    if constexpr (std::same_as<result_of_function<F>, tensor>)
      return std::vector<tensor>(1, call());
    else return call();
  };
}

/// Returns what such a function gave as the result of `F`.
template <class F>
result_of_function<F> as_result_of(std::vector<tensor> all) {
  if constexpr (std::same_as<result_of_function<F>, tensor>) return std::move(all[0]);
  else return all;
}

/// Returns `x` as an argument of a function to differentiate: a constant becomes a tensor with its
/// own gradient, any other tensor gets one that stands for it.
tensor argument(const tensor& x, caller where);

}  // namespace troupe::detail
