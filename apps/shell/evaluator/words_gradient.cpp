// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/evaluator/invoke.hpp"
#include "troupe/apps/shell/evaluator/word.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tensor/autograd/functional.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tensor/ops/reduction.hpp"
#include "troupe/tensor/ops/reshape.hpp"
#include "troupe/tensor/ops/slice.hpp"

namespace troupe::shell {

namespace {

constexpr std::string_view signature = "f: function, argument: integer = 0";

std::string name_of(const shell_value& f) {
  const auto* own = std::get_if<std::shared_ptr<const function>>(&f);
  return own ? (*own)->name : std::string(std::get<const word*>(f)->name);
}

std::size_t parameters_of(const shell_value& f) {
  if (const auto* own = std::get_if<std::shared_ptr<const function>>(&f)) return (*own)->parameters;
  std::size_t needed = 0;
  for (const auto& p : std::get<const word*>(f)->parameters) needed += p.needed();
  return needed;
}

/// The function that gives value and gradient of a function of the language with respect to one
/// argument.
shell_value differentiate(const arguments& a, bool with_value) {
  const auto f = a.any(0);
  const auto which = static_cast<std::size_t>(a.integer(1));
  const std::string title = std::string(a.of().name) + "(" + name_of(f) + ")";
  const auto parameters = parameters_of(f);
  if (which >= parameters)
    throw error(title + ": there is no argument " + std::to_string(a.integer(1)) +
                    ": the function takes " + std::to_string(parameters) + ", counted from 0",
                a.where());
  const auto call = [=](std::vector<shell_value> given, caller where) -> shell_value {
    const auto x = to_array(given[which], title, where);
    if (!is_floating(x.dtype(where)))
      throw error(title + ": " + to_string(x.type()) +
                      " has no gradient, only floats have: convert it with float64(...)",
                  where);
    const auto both = value_and_grad([&](const tensor& variable) {
      auto with_variable = given;
      with_variable[which] = variable;
      const auto value = to_array(invoke(f, std::move(with_variable), {}, where), title, where);
      if (value.size() != 1)
        throw error(title + ": the function gives " + to_string(value.type()) +
                        ", not one number: sum it, for instance",
                    where);
      if (value.node()) return value;
      // It does not depend on the argument: the sum of no elements of that makes the gradient 0.
      return value + sum(reshape(variable, {-1})[range{0, 0}]);
    });
    auto [value, gradient] = both(x, where);
    if (!with_value) return gradient;
    return std::make_shared<const list>(list{{std::move(value), std::move(gradient)}});
  };
  return std::make_shared<const function>(function{title, title, parameters, call});
}

}  // namespace

std::vector<word> gradient_words() {
  return {
      {"grad", "gradients", signature,
       "The function that gives the gradient of f, of one number, with respect to an argument.",
       [](const arguments& a) { return differentiate(a, false); }},
      {"value_and_grad", "gradients", signature,
       "The function that gives f's value and gradient: v, g = value_and_grad(f)(x).",
       [](const arguments& a) { return differentiate(a, true); }},
  };
}

}  // namespace troupe::shell
