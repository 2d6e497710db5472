// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <initializer_list>
#include <utility>
#include <vector>

#include "troupe/tensor/autograd/chosen_arguments.hpp"
#include "troupe/tensor/tensor.hpp"

/// All first or second derivatives of functions:
///
///     tensor slopes = jacobian([](const tensor& x) { return x * x; })(x);  // [i, j]: dy_i / dx_j

namespace troupe {

namespace detail {

std::vector<tensor> jacobians(const tensor_function& f, const std::vector<tensor>& xs,
                              caller where);
std::vector<std::vector<tensor>> hessians(const tensor_function& f, const std::vector<tensor>& xs,
                                          caller where);

/// Returns `f`, which has to live as long and to return a tensor, as a function of vectors.
template <class F>
tensor_function to_one_tensor(F& f) {
  static_assert(std::same_as<result_of_function<F>, tensor>, "the function returns a tensor");
  return on_vectors(f);
}

}  // namespace detail

/// Returns a function that computes all derivatives of the elements of f's result, a tensor, with
/// respect to those of one of f's arguments, counted from 0: an array whose shape is that of the
/// result followed by that of the argument. With respect to several, `jacobian(f, {0, 1})`, it
/// returns one such array for each.
///
/// `f` runs once. Then there is a backward pass for each element of the result or, if the result
/// has more elements than these arguments together, a forward pass for each element of them. Throws
/// if the two shapes have more axes together than a tensor may have, as `jvp` and `gradients` do,
/// and for an argument that `f` does not take or that is named twice.
template <class F>
auto jacobian(F f, int argument, caller where = caller::current()) {
  return detail::with_respect_to("jacobian", std::move(f), {argument}, where,
                                 [](auto& g, const std::vector<tensor>& xs, caller at) {
                                   return detail::jacobians(detail::to_one_tensor(g), xs, at)[0];
                                 });
}
template <class F>
auto jacobian(F f, std::initializer_list<int> arguments, caller where = caller::current()) {
  return detail::with_respect_to("jacobian", std::move(f), arguments, where,
                                 [](auto& g, const std::vector<tensor>& xs, caller at) {
                                   return detail::jacobians(detail::to_one_tensor(g), xs, at);
                                 });
}
/// Does so with respect to the first argument; of a function that takes a vector of tensors, to
/// each of them.
template <class F>
auto jacobian(F f) {
  if constexpr (detail::of_a_vector<F>)
    return detail::called_like<F>(
        [held = detail::function<F>{std::move(f)}](const std::vector<tensor>& xs, caller where) {
          return detail::jacobians(detail::to_one_tensor(held.f), xs, where);
        });
  else return jacobian(std::move(f), 0);
}

/// Returns a function that computes all second derivatives of `f`, whose result has one element,
/// with respect to the elements of one of its arguments: an array of the argument's shape, twice.
/// With respect to several, `hessian(f, {0, 1})`, it returns a vector for each of them, with an
/// array for each: element [i][j] has the shape of the i-th followed by that of the j-th.
///
/// `f` and a backward pass run once, then there is a forward pass through both for each element of
/// these arguments. Throws as `jacobian` does, and for a result with several elements.
template <class F>
auto hessian(F f, int argument, caller where = caller::current()) {
  return detail::with_respect_to("hessian", std::move(f), {argument}, where,
                                 [](auto& g, const std::vector<tensor>& xs, caller at) {
                                   return detail::hessians(detail::to_one_tensor(g), xs, at)[0][0];
                                 });
}
template <class F>
auto hessian(F f, std::initializer_list<int> arguments, caller where = caller::current()) {
  return detail::with_respect_to("hessian", std::move(f), arguments, where,
                                 [](auto& g, const std::vector<tensor>& xs, caller at) {
                                   return detail::hessians(detail::to_one_tensor(g), xs, at);
                                 });
}
/// Does so with respect to the first argument; of a function that takes a vector of tensors, to
/// each of them.
template <class F>
auto hessian(F f) {
  if constexpr (detail::of_a_vector<F>)
    return detail::called_like<F>(
        [held = detail::function<F>{std::move(f)}](const std::vector<tensor>& xs, caller where) {
          return detail::hessians(detail::to_one_tensor(held.f), xs, where);
        });
  else return hessian(std::move(f), 0);
}

}  // namespace troupe
