// SPDX-License-Identifier: MIT
#include <algorithm>

#include "troupe/language/evaluator/arguments.hpp"
#include "troupe/language/evaluator/word.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tensor/autograd/functional.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/slice.hpp"

namespace troupe::language {

namespace {

constexpr std::string_view signature = "f: function, argument: integers = 0";

std::string name_of(const dynamic_value& f) {
  const auto* own = std::get_if<std::shared_ptr<const function>>(&f);
  return own ? (*own)->name : std::string(std::get<const word*>(f)->name);
}

std::size_t parameters_of(const dynamic_value& f) {
  if (const auto* own = std::get_if<std::shared_ptr<const function>>(&f)) return (*own)->parameters;
  std::size_t needed = 0;
  for (const auto& p : std::get<const word*>(f)->parameters) needed += p.needed();
  return needed;
}

/// Returns the arguments to differentiate by. Throws for one that the function does not take, and
/// for one that is named twice.
std::vector<std::size_t> wanted_arguments(const arguments& a, const std::string& title,
                                          std::size_t parameters) {
  if (!a.has(1)) return {0};
  std::vector<std::size_t> all;
  for (const auto one : a.integers(1)) {
    const auto i = static_cast<std::size_t>(one);
    if (one < 0 || i >= parameters)
      throw error(title + ": there is no argument " + std::to_string(one) +
                      ": the function takes " + std::to_string(parameters) + ", counted from 0",
                  a.where());
    if (std::find(all.begin(), all.end(), i) != all.end())
      throw error(title + ": argument " + std::to_string(one) + " is named twice", a.where());
    all.push_back(i);
  }
  if (all.empty()) throw error(title + ": no argument is named", a.where());
  return all;
}

/// Returns an argument of the function, as a variable of the gradient.
tensor variable_of(const dynamic_value& x, const std::string& title, caller where) {
  const auto array = to_array(x, title, where);
  if (!is_floating(array.dtype(where)))
    throw error(title + ": " + to_string(array.type()) +
                    " has no gradient, only floats have: convert it with float64(...)",
                where);
  return array;
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

/// Returns a function that computes value and gradients of a function of the language, in one pass.
dynamic_value differentiate(const arguments& a, bool with_value) {
  const auto f = a.any(0);
  const std::string title = std::string(a.of().name) + "(" + name_of(f) + ")";
  const auto parameters = parameters_of(f);
  if (parameters == 0) throw error(title + ": the function takes no argument", a.where());
  const auto wanted = wanted_arguments(a, title, parameters);
  const bool several = a.has(1) && a.is_list(1);
  const auto call = [=](std::vector<dynamic_value> given, caller where) -> dynamic_value {
    std::vector<tensor> in;
    for (const auto i : wanted) in.push_back(variable_of(given[i], title, where));
    const auto both = value_and_grad([&](const std::vector<tensor>& variables) {
      auto with_variables = given;
      for (std::size_t i = 0; i < wanted.size(); ++i) with_variables[wanted[i]] = variables[i];
      return recorded_value(f, std::move(with_variables), variables, title, where);
    });
    auto [value, gradients] = both(in, where);
    dynamic_value result = gradients[0];
    if (several) result = std::make_shared<const list>(list{{gradients.begin(), gradients.end()}});
    if (!with_value) return result;
    return std::make_shared<const list>(list{{std::move(value), std::move(result)}});
  };
  return std::make_shared<const function>(function{title, title, parameters, call});
}

}  // namespace

std::vector<word> gradient_words() {
  return {
      {"grad", "gradients", signature,
       "The function that gives the gradient of f, of one number, with respect to an argument; of "
       "a "
       "list of them a list, in one pass: dw, db = grad(f, [0, 1])(w, b, x).",
       [](const arguments& a) { return differentiate(a, false); }},
      {"value_and_grad", "gradients", signature,
       "The function that gives f's value and gradient: v, g = value_and_grad(f)(x); of a list of "
       "arguments g is a list.",
       [](const arguments& a) { return differentiate(a, true); }},
  };
}

}  // namespace troupe::language
