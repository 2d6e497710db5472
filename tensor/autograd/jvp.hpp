// SPDX-License-Identifier: MIT
#pragma once

#include <utility>
#include <vector>

#include "troupe/tensor/autograd/chosen_arguments.hpp"
#include "troupe/tensor/tensor.hpp"

/// Derivatives of functions in a direction (forward mode):
///
///     auto [y, change] = jvp([](const tensor& x) { return sin(x); }, x, ones(x.shape()));

namespace troupe {

namespace detail {

/// Returns the function's values and their tangents, recorded if this thread records.
std::pair<std::vector<tensor>, std::vector<tensor>> values_and_tangents(
    const tensor_function& f, const std::vector<tensor>& xs, const std::vector<tensor>& tangents,
    caller where);

}  // namespace detail

/// Returns f's value and its tangent: the product of f's derivatives at `x` with `tangent`, the
/// change of `x`, which has its shape and dtype. `f` returns a tensor or a vector of them; value
/// and tangent are alike, and a value that does not depend on `x` has the tangent 0.
///
/// The function is recorded, then each operation computes its tangent from those of its inputs:
/// elementwise ones by their gradient, those that are linear by themselves, all others by
/// differentiating their gradient with respect to the gradient that arrives, in which it is linear
/// (Townsend, "A new trick for calculating Jacobian vector products", 2017). It is exact, takes a
/// few times as long as `f`, and may be differentiated or computed tangents of itself.
///
/// Throws for a tangent of another shape, dtype or device, for arguments and values without
/// floats, and if it reaches an operation without a gradient.
template <class F>
requires detail::of_one_tensor<F>
auto jvp(F f, const tensor& x, const tensor& tangent, caller where = caller::current()) {
  auto [values, changes] =
      detail::values_and_tangents(detail::on_vectors(f), {x}, {tangent}, where);
  return std::pair(detail::as_result_of<F>(std::move(values)),
                   detail::as_result_of<F>(std::move(changes)));
}

/// Does so for a function of several tensors, one by one or in a vector, which change together. A
/// tangent that names no array is 0.
template <class F>
requires(!detail::of_one_tensor<F>) auto jvp(F f, const std::vector<tensor>& xs,
                                             const std::vector<tensor>& tangents,
                                             caller where = caller::current()) {
  detail::check_parameters(detail::parameters_of<F>, xs.size(), "jvp", where);
  auto [values, changes] = detail::values_and_tangents(detail::on_vectors(f), xs, tangents, where);
  return std::pair(detail::as_result_of<F>(std::move(values)),
                   detail::as_result_of<F>(std::move(changes)));
}

}  // namespace troupe
