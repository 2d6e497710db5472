// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
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

/// Most tensors that a function may take one by one.
inline constexpr std::size_t most_parameters = 8;

/// Function of so many tensors.
template <class F, class Numbers>
inline constexpr bool takes_tensors = false;
template <class F, std::size_t... I>
inline constexpr bool takes_tensors<F, std::index_sequence<I...>> =
    std::is_invocable_v<F&, decltype((void(I), std::declval<const tensor&>()))...>;

/// Returns how many tensors a function takes one by one, or 0 if it takes a vector of them.
template <class F, std::size_t N = 1>
constexpr std::size_t count_parameters() {
  if constexpr (takes_tensors<F, std::make_index_sequence<N>>) return N;
  else if constexpr (N == 1 && std::is_invocable_v<F&, const std::vector<tensor>&>) return 0;
  else {
    static_assert(N < most_parameters, "the function takes up to 8 tensors, or a vector of them");
    return count_parameters<F, N + 1>();
  }
}
template <class F>
inline constexpr std::size_t parameters_of = count_parameters<F>();

/// Function of one tensor, as opposed to several, one by one or in a vector.
template <class F>
concept of_one_tensor = (parameters_of<F> == 1);
/// Function of a vector of tensors.
template <class F>
concept of_a_vector = (parameters_of<F> == 0);

/// Calls a function with these tensors.
template <class F, std::size_t... I>
decltype(auto) call_one_by_one(F& f, const std::vector<tensor>& in, std::index_sequence<I...>) {
  return f(in[I]...);
}
template <class F>
decltype(auto) call_with(F& f, const std::vector<tensor>& in) {
  if constexpr (of_a_vector<F>) return f(in);
  else return call_one_by_one(f, in, std::make_index_sequence<parameters_of<F>>());
}

/// Functions of arguments that are handed on to `body` in a vector, with the place of the call.
template <class Body, class... In>
struct taking_each {
  Body body;
  auto operator()(const In&... in, caller where = caller::current()) const {
    return body(std::vector<tensor>{in...}, where);
  }
};
template <class Body>
struct taking_vector {
  Body body;
  auto operator()(const std::vector<tensor>& in, caller where = caller::current()) const {
    return body(in, where);
  }
};

template <std::size_t>
using one_tensor = tensor;
template <class Body, std::size_t... I>
taking_each<Body, one_tensor<I>...> taking(Body body, std::index_sequence<I...>) {
  return {std::move(body)};
}
/// Returns a function that takes its arguments as `F` does.
template <class F, class Body>
auto called_like(Body body) {
  if constexpr (of_a_vector<F>) return taking_vector<Body>{std::move(body)};
  else return taking(std::move(body), std::make_index_sequence<parameters_of<F>>());
}

/// Result of a function: a tensor, or a vector of them.
template <class F>
using result_of_function = std::conditional_t<
    std::same_as<std::decay_t<decltype(call_with(std::declval<F&>(), {}))>, std::vector<tensor>>,
    std::vector<tensor>, tensor>;

/// Function of a vector of tensors with a vector of results.
using tensor_function = std::function<std::vector<tensor>(const std::vector<tensor>&)>;

/// Returns `f`, which has to live as long, as such a function.
template <class F>
tensor_function on_vectors(F& f) {
  return [&f](const std::vector<tensor>& in) {
    if constexpr (std::same_as<result_of_function<F>, tensor>)
      return std::vector<tensor>(1, call_with(f, in));
    else return call_with(f, in);
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
