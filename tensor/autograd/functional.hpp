// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <initializer_list>
#include <utility>
#include <vector>

#include "troupe/tensor/autograd/backward.hpp"
#include "troupe/tensor/autograd/chosen_arguments.hpp"
#include "troupe/tensor/autograd/recording.hpp"
#include "troupe/tensor/autograd/tensor_function.hpp"

/// Gradients of functions:
///
///     auto slope = grad([](const tensor& x) { return sum(x * x * x); });
///     tensor y = slope(x);                              // 3 * x * x
///     tensor z = grad([&](const tensor& x) { return sum(slope(x)); })(x);  // 6 * x
///     auto slopes = grad([](const tensor& w, const tensor& b) { return sum(w * b); }, {0, 1});

namespace troupe {

namespace detail {

/// Returns the function's value and the gradients with respect to its arguments, recorded if this
/// thread records.
template <class F>
std::pair<tensor, std::vector<tensor>> value_and_gradients(F& f, const std::vector<tensor>& xs,
                                                           const tensor& seed, caller where) {
  const bool record = recording::active();
  tensor value;
  std::vector<tensor> in;
  {
    const recording on;
    for (const auto& x : xs) in.push_back(argument(x, where));
    value = call_with(f, in);
  }
  auto found = gradients(value, in, {.seed = seed, .keep = false, .record = record}, where);
  return {record ? value : value.detach(), std::move(found)};
}

}  // namespace detail

/// Returns a function that computes f's value, of one element, and its gradient with respect to one
/// of f's arguments, counted from 0, or to several of them, in one pass, as in
/// `value_and_grad(f, {0, 1})`. The gradient is zeros where the value does not depend on an
/// argument. `f` takes up to 8 tensors. Throws for an argument that `f` does not take or that is
/// named twice.
template <class F>
auto value_and_grad(F f, int argument, caller where = caller::current()) {
  return detail::with_respect_to("value_and_grad", std::move(f), {argument}, where,
                                 [](auto& g, const std::vector<tensor>& xs, caller at) {
                                   auto [value, found] = detail::value_and_gradients(g, xs, {}, at);
                                   return std::pair(std::move(value), std::move(found[0]));
                                 });
}
template <class F>
auto value_and_grad(F f, std::initializer_list<int> arguments, caller where = caller::current()) {
  return detail::with_respect_to("value_and_grad", std::move(f), arguments, where,
                                 [](auto& g, const std::vector<tensor>& xs, caller at) {
                                   return detail::value_and_gradients(g, xs, {}, at);
                                 });
}
/// Does so with respect to the first argument; of a function that takes a vector of tensors, to
/// each of them.
template <class F>
auto value_and_grad(F f) {
  if constexpr (detail::of_a_vector<F>)
    return detail::called_like<F>(
        [held = detail::function<F>{std::move(f)}](const std::vector<tensor>& xs, caller where) {
          return detail::value_and_gradients(held.f, xs, {}, where);
        });
  else return value_and_grad(std::move(f), 0);
}

/// Returns a function that computes f's gradient alone; see `value_and_grad`.
template <class F>
auto grad(F f, int argument, caller where = caller::current()) {
  return detail::with_respect_to("grad", std::move(f), {argument}, where,
                                 [](auto& g, const std::vector<tensor>& xs, caller at) {
                                   return detail::value_and_gradients(g, xs, {}, at).second[0];
                                 });
}
template <class F>
auto grad(F f, std::initializer_list<int> arguments, caller where = caller::current()) {
  return detail::with_respect_to("grad", std::move(f), arguments, where,
                                 [](auto& g, const std::vector<tensor>& xs, caller at) {
                                   return detail::value_and_gradients(g, xs, {}, at).second;
                                 });
}
template <class F>
auto grad(F f) {
  if constexpr (detail::of_a_vector<F>)
    return detail::called_like<F>(
        [both = value_and_grad(std::move(f))](const std::vector<tensor>& xs, caller where) {
          return both(xs, where).second;
        });
  else return grad(std::move(f), 0);
}

namespace detail {

/// Returns a function's values and the sums of the products of the seeds with its derivatives,
/// recorded if this thread records. The seeds are read once the function has run.
std::pair<std::vector<tensor>, std::vector<tensor>> values_and_products(
    const tensor_function& f, const std::vector<tensor>& xs, const std::vector<tensor>& seeds,
    caller where);

/// Function with several results.
template <class F>
concept of_several_results = std::same_as<result_of_function<F>, std::vector<tensor>>;

}  // namespace detail

/// Returns f's value and the products of `seed`, of f's shape, with f's derivatives with respect to
/// each of `xs`, which `f` takes one by one or in a vector.
template <class F>
requires(!detail::of_one_tensor<F> && !detail::of_several_results<F>)
    std::pair<tensor, std::vector<tensor>> vjp(F f, const std::vector<tensor>& xs,
                                               const tensor& seed,
                                               caller where = caller::current()) {
  detail::check_parameters(detail::parameters_of<F>, xs.size(), "vjp", where);
  return detail::value_and_gradients(f, xs, seed, where);
}

/// Does so for a function of one tensor.
template <class F>
requires(detail::of_one_tensor<F> && !detail::of_several_results<F>) std::pair<tensor, tensor> vjp(
    F f, const tensor& x, const tensor& seed, caller where = caller::current()) {
  auto [value, found] = detail::value_and_gradients(f, {x}, seed, where);
  return {std::move(value), std::move(found[0])};
}

/// Returns the values of a function that returns a vector of tensors, and for each of its arguments
/// the sum of the products of each value's seed with that value's derivatives. There is a seed for
/// each value; one that names no array is 0. Values that depend on no argument give nothing.
template <class F>
requires(detail::of_several_results<F> && !detail::of_one_tensor<F>)
    std::pair<std::vector<tensor>, std::vector<tensor>> vjp(F f, const std::vector<tensor>& xs,
                                                            const std::vector<tensor>& seeds,
                                                            caller where = caller::current()) {
  detail::check_parameters(detail::parameters_of<F>, xs.size(), "vjp", where);
  return detail::values_and_products(detail::on_vectors(f), xs, seeds, where);
}

/// Does so for a function of one tensor.
template <class F>
requires(detail::of_several_results<F>&& detail::of_one_tensor<F>)
    std::pair<std::vector<tensor>, tensor> vjp(F f, const tensor& x,
                                               const std::vector<tensor>& seeds,
                                               caller where = caller::current()) {
  auto [values, found] = detail::values_and_products(detail::on_vectors(f), {x}, seeds, where);
  return {std::move(values), std::move(found[0])};
}

}  // namespace troupe
