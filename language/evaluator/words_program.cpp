// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <mutex>
#include <optional>

#include "troupe/language/evaluator/arguments.hpp"
#include "troupe/language/evaluator/word.hpp"
#include "troupe/language/parse_program.hpp"
#include "troupe/tasks/error.hpp"
#include "troupe/tensor/number_text.hpp"
#include "troupe/tensor/program/capture.hpp"
#include "troupe/tensor/program/compile.hpp"
#include "troupe/tensor/program/compiled_function.hpp"

namespace troupe::language {

namespace {

const function& function_of(const dynamic_value& f, const std::string& title, caller where) {
  const auto* own = std::get_if<std::shared_ptr<const function>>(&f);
  if (!own) throw error(title + ": wants a function of your own", where);
  return **own;
}

/// Programs of one function, and what it gives for these arguments: an array, or lists of them,
/// which are left out.
struct programs {
  explicit programs(caller where) : of(where) {}

  troupe::detail::compiled_function of;
  std::mutex mutex;
  std::map<std::string, dynamic_value> gives;
};

/// Splits an argument into arrays and what tells it apart from others.
void take_apart(const dynamic_value& x, std::vector<tensor>& arrays, std::string& others,
                const std::string& title, caller where) {
  if (const auto* array = std::get_if<tensor>(&x)) {
    others += 'a';
    arrays.push_back(*array);
  } else if (const auto* number = std::get_if<scalar>(&x)) {
    others += 'n' + std::string(name(number->own_dtype())) + to_string(*number) + ';';
  } else if (const auto* items = std::get_if<std::shared_ptr<const list>>(&x)) {
    others += '[';
    for (const auto& one : (*items)->items) take_apart(one, arrays, others, title, where);
    others += ']';
  } else if (const auto* text = std::get_if<std::string>(&x)) {
    others += 't' + std::to_string(text->size()) + ':' + *text;
  } else {
    throw error(title + ": takes arrays, numbers, texts and lists of them, not " + describe(x),
                where);
  }
}

/// Returns true for a list of numbers, not all of them integers: those may be sizes or axes.
bool is_data(const dynamic_value& x) {
  const auto* items = std::get_if<std::shared_ptr<const list>>(&x);
  if (!items) return false;
  const auto is_number = [](const dynamic_value& one) {
    return std::holds_alternative<scalar>(one);
  };
  const auto& all = (*items)->items;
  if (std::ranges::all_of(all, is_number))
    return std::ranges::any_of(all, [](const dynamic_value& one) {
      const auto& number = std::get<scalar>(one);
      return number.is_real() || number.is_complex();
    });
  return std::ranges::all_of(all, is_data);
}

/// Makes arrays of the lists that hold data: they change from call to call.
void take_as_arrays(std::vector<dynamic_value>& given, const std::string& title, caller where) {
  for (auto& x : given) {
    if (is_data(x)) x = to_array(x, title, where);
  }
}

dynamic_value put_together(const dynamic_value& like, const tensor*& next) {
  if (std::holds_alternative<tensor>(like)) return *next++;
  const auto* items = std::get_if<std::shared_ptr<const list>>(&like);
  if (!items) return like;
  list out;
  for (const auto& one : (*items)->items) out.items.push_back(put_together(one, next));
  return std::make_shared<const list>(std::move(out));
}

/// Takes the arrays out of what a function gives: one, a list, or lists in it. Returns what is
/// left.
dynamic_value take_out(const dynamic_value& x, std::vector<tensor>& arrays,
                       const std::string& title, caller where, bool outermost = true) {
  const auto* items = std::get_if<std::shared_ptr<const list>>(&x);
  if (!items || (!outermost && is_data(x))) {
    arrays.push_back(to_array(x, title, where));
    return tensor();
  }
  list out;
  for (const auto& one : (*items)->items)
    out.items.push_back(take_out(one, arrays, title, where, false));
  return std::make_shared<const list>(std::move(out));
}

dynamic_value compile_word(const arguments& a) {
  const auto& f = a.any(0);
  const auto& own = function_of(f, "compile", a.where());
  const std::string title = "compile(" + own.name + ")";
  const auto all = std::make_shared<programs>(a.where());
  const auto call = [=](std::vector<dynamic_value> given, caller where) -> dynamic_value {
    if (troupe::detail::runs_as_it_is()) return invoke(f, std::move(given), {}, where);
    take_as_arrays(given, title, where);
    std::vector<tensor> arrays;
    std::string others;
    for (const auto& x : given) take_apart(x, arrays, others, title, where);
    std::optional<dynamic_value> gives;
    const auto results = all->of.call(arrays, others, [&](std::span<const tensor> in) {
      const auto* next = in.data();
      std::vector<dynamic_value> again;
      for (const auto& x : given) again.push_back(put_together(x, next));
      std::vector<tensor> out;
      gives = take_out(invoke(f, std::move(again), {}, where), out, title, where);
      return out;
    });
    {
      const std::lock_guard lock(all->mutex);
      if (gives) all->gives[others] = *gives;
      else gives = all->gives[others];
    }
    const auto* next = results.data();
    return put_together(*gives, next);
  };
  const auto as_program = [=](std::vector<dynamic_value> given, caller where) {
    take_as_arrays(given, title, where);
    std::vector<tensor> arrays;
    std::string others;
    for (const auto& x : given) take_apart(x, arrays, others, title, where);
    const auto body = [=](std::span<const tensor> in) {
      const auto* next = in.data();
      std::vector<dynamic_value> again;
      for (const auto& x : given) again.push_back(put_together(x, next));
      std::vector<tensor> out;
      take_out(invoke(f, std::move(again), {}, where), out, title, where);
      return out;
    };
    return all->of.as_program(arrays, body);
  };
  return std::make_shared<const function>(
      function{.kept = std::make_shared<kept_values>(std::vector{f}),
               .name = title,
               .text = title,
               .parameters = own.parameters,
               .call = call,
               .explain = [all] { return all->of.explain(); },
               .as_program = as_program});
}

/// Returns a program as a function of the language.
dynamic_value function_for(program of, const std::string& name) {
  const auto p = std::make_shared<program>(std::move(of));
  const auto call = [p](const std::vector<dynamic_value>& given, caller where) -> dynamic_value {
    std::vector<tensor> arrays;
    for (const auto& x : given) arrays.push_back(to_array(x, "program", where));
    auto results = p->call(arrays, where);
    if (results.empty()) return {};
    if (results.size() == 1) return std::move(results[0]);
    return std::make_shared<const list>(list{{results.begin(), results.end()}});
  };
  return std::make_shared<const function>(
      function{.only_program = p,
               .name = name,
               .text = name,
               .parameters = p->arguments(),
               .call = call,
               .explain = [p] { return p->explain(); },
               .as_program = [p](const std::vector<dynamic_value>&, caller) { return *p; }});
}

/// Returns the program of a function for the arguments in a list.
program program_of(const arguments& a, std::size_t f, std::size_t given) {
  const auto& own = function_of(a.any(f), std::string(a.of().name), a.where());
  std::vector<dynamic_value> values;
  if (a.has(given)) values = std::get<std::shared_ptr<const list>>(a.any(given))->items;
  if (own.as_program) return own.as_program(values, a.where());
  const auto compiled = invoke(find_word("compile"), {a.any(f)}, {}, a.where());
  return std::get<std::shared_ptr<const function>>(compiled)->as_program(values, a.where());
}

dynamic_value explain_word(const arguments& a) {
  const auto& own = function_of(a.any(0), "explain", a.where());
  if (!own.explain)
    throw error("explain: " + own.name + " is not compiled: see compile", a.where());
  auto text = own.explain();
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace

std::vector<word> program_words() {
  return {
      {"compile", "programs", "f: function",
       "The function as a program: captured at its first call, then run whole, with the same bits.",
       compile_word},
      {"constant", "programs", "x",
       "x, which a compiled function may use though it is no argument: it never changes.",
       [](const arguments& a) -> dynamic_value { return constant(a.array(0), a.where()); }},
      {"parse_program", "programs", "text: text",
       "A program from its text: parse_program(\"def f(x) = exp(x) + 1\").",
       [](const arguments& a) -> dynamic_value {
         return function_for(parse_program(a.text(0), {}, a.where()), "the program");
       }},
      {"load_program", "programs", "path: text", "A program that save_program wrote.",
       [](const arguments& a) -> dynamic_value {
         return function_for(load_program(a.text(0), {}, a.where()), a.text(0));
       }},
      {"save_program", "programs", "path: text, f: function, arguments: list = none",
       "Writes what a function does with such arguments: save_program(\"f.safetensors\", f, [x]).",
       [](const arguments& a) -> dynamic_value {
         if (!a.text(0).ends_with(".safetensors"))
           throw error("save_program: " + a.text(0) + " should end in .safetensors", a.where());
         save_program(a.text(0), program_of(a, 1, 2), a.where());
         return {};
       }},
      {"program_text", "programs", "f: function, arguments: list = none",
       "What a function does with such arguments, as a text: program_text(f, [x]).",
       [](const arguments& a) -> dynamic_value {
         auto text = program_of(a, 0, 1).text();
         while (text.ends_with('\n')) text.pop_back();
         return text;
       }},
      {"explain", "programs", "f: function",
       "What a compiled function did when it was captured, and how it runs.", explain_word},
  };
}

}  // namespace troupe::language
