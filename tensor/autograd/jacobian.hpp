// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <utility>
#include <vector>

#include "troupe/tensor/autograd/tensor_function.hpp"
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

}  // namespace detail

/// Returns a function that computes all derivatives of the elements of f's result, a tensor, with
/// respect to those of its argument: an array whose shape is that of the result followed by that
/// of the argument. For an `f` of several tensors, in a vector, it returns one such array for each.
///
/// `f` runs once. Then there is a backward pass for each element of the result or, if the result
/// has more elements than all arguments together, a forward pass for each element of the arguments.
/// Throws if the two shapes have more axes together than a tensor may have, and as `jvp` and
/// `gradients` do.
template <class F>
auto jacobian(F f) {
  static_assert(std::same_as<detail::result_of_function<F>, tensor>,
                "jacobian: the function returns a tensor");
  return [held = detail::function<F>{std::move(f)}](detail::argument_of<F> x,
                                                    caller where = caller::current()) {
    if constexpr (detail::of_one_tensor<F>)
      return detail::jacobians(detail::on_vectors(held.f), {x}, where)[0];
    else return detail::jacobians(detail::on_vectors(held.f), x, where);
  };
}

/// Returns a function that computes all second derivatives of `f`, whose result has one element,
/// with respect to the elements of its argument: an array of the argument's shape, twice. For an
/// `f` of several tensors, in a vector, it returns a vector for each of them, with an array for
/// each: element [i][j] has the shape of argument i followed by that of argument j.
///
/// `f` and a backward pass run once, then there is a forward pass through both for each element of
/// the arguments. Throws as `jacobian` does, and for a result with several elements.
template <class F>
auto hessian(F f) {
  static_assert(std::same_as<detail::result_of_function<F>, tensor>,
                "hessian: the function returns a tensor");
  return [held = detail::function<F>{std::move(f)}](detail::argument_of<F> x,
                                                    caller where = caller::current()) {
    if constexpr (detail::of_one_tensor<F>)
      return detail::hessians(detail::on_vectors(held.f), {x}, where)[0][0];
    else return detail::hessians(detail::on_vectors(held.f), x, where);
  };
}

}  // namespace troupe
