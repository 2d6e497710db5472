// SPDX-License-Identifier: MIT
#include "troupe/language/evaluator/items_of.hpp"
#include "troupe/language/evaluator/variable_arguments.hpp"
#include "troupe/language/evaluator/word.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tensor/autograd/chosen_arguments.hpp"
#include "troupe/tensor/autograd/functional.hpp"
#include "troupe/tensor/autograd/jacobian.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/slice.hpp"

namespace troupe::language {

namespace {

constexpr std::string_view signature = "f: function, argument: integers = 0";

/// Returns the arguments to differentiate by. Throws for one that the function does not take, and
/// for one that is named twice.
std::vector<std::size_t> wanted_arguments(const arguments& a, const std::string& title,
                                          std::size_t parameters) {
  if (!a.has(1)) return {0};
  return troupe::detail::checked_numbers(title, a.integers(1), parameters, a.where());
}

/// Returns the function's value, which depends on every variable.
tensor recorded_value(const dynamic_value& f, std::vector<dynamic_value> given,
                      const std::vector<tensor>& variables, const std::string& title,
                      caller where) {
  const auto value = to_array(invoke(f, std::move(given), {}, where), title, where);
  if (value.size() != 1)
    throw error(title + ": the function gives " + to_string(value.type()) +
                    ", not one number: sum it, for instance",
                where);
  if (value.node()) return value;
  // It depends on none of them: the sum of no elements of one makes the gradients 0.
  return value + sum(reshape(variables[0], {-1})[range{0, 0}]);
}

/// Function to differentiate by some of its arguments.
struct differentiated {
  dynamic_value f;
  std::string title;
  std::size_t parameters;
  std::vector<std::size_t> wanted;
  bool several;

  explicit differentiated(const arguments& a)
      : f(a.any(0)),
        title(title_of(a)),
        parameters(parameters_of_function(a)),
        wanted(wanted_arguments(a, title, parameters)),
        several(a.has(1) && a.is_list(1)) {}

  /// Returns the function that does so.
  dynamic_value as_function(
      std::function<dynamic_value(std::vector<dynamic_value>, caller)> call) const {
    return std::make_shared<const function>(
        function{.kept = std::make_shared<kept_values>(std::vector{f}),
                 .name = title,
                 .text = title,
                 .parameters = parameters,
                 .call = std::move(call)});
  }
};

/// Returns a function that computes value and gradients of a function of the language, in one pass.
dynamic_value differentiate(const arguments& a, bool with_value) {
  const differentiated d(a);
  return d.as_function([=](std::vector<dynamic_value> given, caller where) -> dynamic_value {
    const variable_arguments all(std::move(given), d.wanted, d.title, where);
    const auto both = value_and_grad([&](const std::vector<tensor>& variables) {
      return recorded_value(d.f, all.with(variables), variables, d.title, where);
    });
    auto [value, gradients] = both(all.variables(), where);
    auto result = all.like_variables(gradients, d.several);
    return with_value ? pair_of(std::move(value), std::move(result)) : result;
  });
}

dynamic_value jacobian_word(const arguments& a) {
  const differentiated d(a);
  return d.as_function([=](std::vector<dynamic_value> given, caller where) {
    const variable_arguments all(std::move(given), d.wanted, d.title, where);
    const auto found = jacobian([&](const std::vector<tensor>& variables) {
      return to_array(invoke(d.f, all.with(variables), {}, where), d.title, where);
    })(all.variables(), where);
    return all.like_variables(found, d.several);
  });
}

dynamic_value hessian_word(const arguments& a) {
  const differentiated d(a);
  return d.as_function([=](std::vector<dynamic_value> given, caller where) {
    const variable_arguments all(std::move(given), d.wanted, d.title, where);
    const auto blocks = hessian([&](const std::vector<tensor>& variables) {
      return recorded_value(d.f, all.with(variables), variables, d.title, where);
    })(all.variables(), where);
    if (!d.several && blocks.size() == 1) return dynamic_value(blocks[0][0]);
    list rows;
    for (const auto& row : blocks) rows.items.push_back(as_list(row));
    return dynamic_value(std::make_shared<const list>(std::move(rows)));
  });
}

}  // namespace

std::vector<word> gradient_words() {
  return {
      {"grad", "gradients", signature,
       "The function that gives the gradient of f, of one number, with respect to an argument; of "
       "a list of them a list, in one pass: dw, db = grad(f, [0, 1])(w, b, x). That of an argument "
       "that is a list of arrays is a list.",
       [](const arguments& a) { return differentiate(a, false); }},
      {"value_and_grad", "gradients", signature,
       "The function that gives f's value and gradient: v, g = value_and_grad(f)(x); of a list of "
       "arguments g is a list.",
       [](const arguments& a) { return differentiate(a, true); }},
      {"jacobian", "gradients", signature,
       "The function that gives all derivatives of f's elements with respect to those of an "
       "argument: an array whose shape is that of the result, then that of the argument; of a list "
       "of arguments a list.",
       jacobian_word},
      {"hessian", "gradients", signature,
       "The function that gives the second derivatives of f, of one number, with respect to the "
       "elements of an argument: an array of its shape twice; of a list of arguments a list of "
       "lists.",
       hessian_word},
  };
}

}  // namespace troupe::language
