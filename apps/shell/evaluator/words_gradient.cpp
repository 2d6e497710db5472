// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/evaluator/invoke.hpp"
#include "troupe/apps/shell/evaluator/word.hpp"
#include "troupe/tensor/autograd/functional.hpp"
#include "troupe/tensor/error.hpp"

namespace troupe::shell {

namespace {

constexpr std::string_view signature = "f: function, argument: integer = 0";

std::string name_of(const thing& f) {
  const auto* own = std::get_if<std::shared_ptr<const function>>(&f);
  return own ? (*own)->name : std::string(std::get<const word*>(f)->name);
}

std::size_t parameters_of(const thing& f) {
  if (const auto* own = std::get_if<std::shared_ptr<const function>>(&f)) return (*own)->parameters;
  std::size_t needed = 0;
  for (const auto& p : std::get<const word*>(f)->parameters) needed += p.needed();
  return needed;
}

/// The function that gives value and gradient of a function of the language with respect to one argument.
thing differentiate(const arguments& a, bool with_value) {
  const auto f = a.any(0);
  const auto which = static_cast<std::size_t>(a.integer(1));
  const std::string title = std::string(a.of().name) + "(" + name_of(f) + ")";
  const auto parameters = parameters_of(f);
  if (which >= parameters)
    throw error(title + ": the function has no argument " + std::to_string(a.integer(1)),
                a.where());
  const auto call = [=](std::vector<thing> given, caller where) -> thing {
    const auto x = to_array(given[which], title, where);
    const auto both = value_and_grad([&](const tensor& variable) {
      auto with_variable = given;
      with_variable[which] = variable;
      return to_array(invoke(f, std::move(with_variable), {}, where), title, where);
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
