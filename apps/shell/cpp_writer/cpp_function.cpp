// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/cpp_writer/cpp_function.hpp"

#include <algorithm>

#include "troupe/apps/shell/cpp_writer/cpp_call.hpp"
#include "troupe/apps/shell/cpp_writer/cpp_convert.hpp"
#include "troupe/apps/shell/cpp_writer/cpp_instance.hpp"
#include "troupe/tasks/error.hpp"

namespace troupe::shell {

namespace {

using type = cpp_kind::type;

std::string base_of_parameter(const cpp_context& c, const cpp_function& f, std::size_t i) {
  if (f.is == cpp_function::what::closure) return c.symbols.name(f.parameters[i]);
  if (f.is == cpp_function::what::word) return std::string(f.builtin->parameters[i].name);
  if (f.is == cpp_function::what::gradient) return base_of_parameter(c, *f.of.kind.function, i);
  return "x";
}

/// grad([&](const tensor& w) { return f(w, x); }): of one argument, the others as given.
std::string gradient_of_one(cpp_context& c, const cpp_function& f, std::vector<cpp_value> given,
                            std::source_location where) {
  auto one = std::make_shared<cpp_function>();
  one->home = c.function();
  one->where = where;
  auto made = std::make_shared<cpp_instance>();
  made->of = one.get();
  made->where = where;
  made->entity = c.entities.add({.is = cpp_entity::what::instance, .instance = made});
  const int parameter =
      c.entities.add({.is = cpp_entity::what::own,
                      .base = base_of_parameter(c, *f.of.kind.function, f.argument),
                      .kind = array_kind()});
  made->parameters.push_back(parameter);
  given[f.argument] = {.kind = array_kind(), .text = mark(parameter), .plain = true};
  const auto value = cpp_call_function(c, f.of, std::move(given), where);
  if (value.kind != type::array) refuse("the gradient of what is no array", where);
  made->body.push_back({.is = cpp_item::what::result, .text = value.text});
  made->returns = array_kind();
  made->draws = value.draws;
  one->instances.push_back(made);
  const int inlined = c.entities.add({.is = cpp_entity::what::inlined, .function = one});
  const int called = c.entities.add({.is = cpp_entity::what::presence, .instance = made});
  return (f.with_value ? "value_and_grad(" : "grad(") + mark(inlined) + mark(called) + ")";
}

/// A gradient with respect to one of several arguments, called where it is made.
cpp_value call_gradient(cpp_context& c, const cpp_function& f, std::vector<cpp_value> given,
                        std::source_location where) {
  for (std::size_t i = 0; i < given.size(); ++i)
    if (i != f.argument && !given[i].plain) given[i] = c.named("given", given[i]);
  const auto x = given[f.argument];
  auto out = cpp_call_of(gradient_of_one(c, f, std::move(given), where), {x}, array_kind());
  if (f.with_value) out.kind = {.is = type::pair};
  return out;
}

}  // namespace

std::size_t cpp_function::parameter_count() const {
  switch (is) {
    case what::closure: return parameters.size();
    case what::gradient: return of.kind.function->parameter_count();
    case what::word: break;
  }
  return static_cast<std::size_t>(std::count_if(builtin->parameters.begin(),
                                                builtin->parameters.end(),
                                                [](const parameter& p) { return p.needed(); }));
}

cpp_value cpp_function_value(cpp_context& c, cpp_function_ptr f, std::source_location where) {
  cpp_value out{.kind = {.is = type::function, .function = f}, .plain = f->has_name};
  out.where = where;
  out.reference = f->has_name;
  out.text = mark(
      c.entities.add({.is = f->has_name ? cpp_entity::what::reference : cpp_entity::what::inlined,
                      .function = f,
                      .where = where}));
  return out;
}

cpp_function_ptr cpp_closure(cpp_context& c, std::string name, std::vector<symbol> parameters,
                             std::shared_ptr<const expression> value,
                             std::shared_ptr<const block> body, std::source_location where) {
  auto f = std::make_shared<cpp_function>();
  f->name = name;
  f->title = std::move(name);
  std::string names;
  for (const auto one : parameters) names += (names.empty() ? "" : ", ") + c.symbols.name(one);
  if (body) f->text = f->title + "(" + names + ")";
  else f->text = (parameters.size() == 1 ? names : "(" + names + ")") + " -> ...";
  f->parameters = std::move(parameters);
  f->value = std::move(value);
  f->body = std::move(body);
  if (!c.scope.frames.empty()) f->around = c.scope.frames.back();
  f->home = c.function();
  f->where = where;
  c.functions.push_back(f);
  return f;
}

cpp_function_ptr cpp_gradient(cpp_context& c, cpp_value of, std::size_t argument, bool with_value,
                              std::source_location where) {
  auto f = std::make_shared<cpp_function>();
  f->is = cpp_function::what::gradient;
  f->name = with_value ? "value_and_gradient" : "gradient";
  f->title = (with_value ? "value_and_grad(" : "grad(") + of.kind.function->title + ")";
  f->text = f->title;
  f->of = std::move(of);
  f->argument = argument;
  f->with_value = with_value;
  f->home = c.function();
  f->where = where;
  if (argument >= f->parameter_count()) refuse("the function has no such argument", where);
  if (f->of.fresh && f->parameter_count() > 1 && c.maybe == 0) {  // it is called in another
    const auto inner = f->of.kind.function;
    inner->name = "f";
    inner->has_name = true;
    c.emit({.is = cpp_item::what::functions, .function = inner});
    f->of = cpp_function_value(c, inner, where);
  }
  c.functions.push_back(f);
  return f;
}

cpp_value cpp_call_function(cpp_context& c, const cpp_value& callee, std::vector<cpp_value> given,
                            std::source_location where) {
  const auto f = callee.kind.function;
  if (f->is == cpp_function::what::word && !callee.held)
    return cpp_call_word(c, *f->builtin, std::move(given), {}, where);
  if (given.size() != f->parameter_count())
    refuse(f->name + " takes another number of arguments", where);
  c.put_in_order(given);
  std::vector<cpp_kind> kinds;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const bool differentiated = f->is == cpp_function::what::gradient && i == f->argument;
    given[i] = differentiated ? as_array(c, given[i], f->name, where)
                              : as_variable(c, std::move(given[i]), where);
    kinds.push_back(without_value(given[i].kind));
  }
  if (f->is == cpp_function::what::gradient && callee.fresh && given.size() > 1)
    return call_gradient(c, *f, std::move(given), where);
  const auto instance = cpp_instance_for(c, f, kinds, where);
  for (const auto& one : given)
    if (one.kind == type::function)
      for (const auto& piece : pieces_of(one.text))
        if (piece.entity >= 0) c.entities[piece.entity].given_to = instance;
  std::string name;
  if (callee.reference) {
    name = mark(instance->entity);
  } else {
    name = callee.text +
           mark(c.entities.add({.is = cpp_entity::what::presence, .instance = instance}));
  }
  const bool known = !instance->running || instance->results > 0;
  auto out = cpp_call_of(name, given, known ? instance->returns : instance->assumed);
  out.draws = out.draws || instance->draws;
  out.where = where;
  return out;
}

std::string cpp_gradient_expression(cpp_context& c, const cpp_function& f,
                                    const std::vector<int>& parameters,
                                    const std::vector<cpp_kind>& kinds,
                                    std::source_location where) {
  if (parameters.empty()) {  // of one argument: the function itself
    const auto inner = cpp_instance_for(c, f.of.kind.function, kinds, where);
    if (inner->returns != type::array) refuse("the gradient of what is no array", where);
    const auto name =
        f.of.reference
            ? mark(inner->entity)
            : f.of.text +
                  mark(c.entities.add({.is = cpp_entity::what::presence, .instance = inner}));
    return (f.with_value ? "value_and_grad(" : "grad(") + name + ")";
  }
  std::vector<cpp_value> given;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    given.push_back({.kind = kinds[i], .text = mark(parameters[i])});
    given.back().plain = true;
  }
  const auto x = given[f.argument].text;
  return gradient_of_one(c, f, std::move(given), where) + "(" + x + ")";
}

std::string cpp_parameter_base(const cpp_context& c, const cpp_function& f, std::size_t i) {
  return base_of_parameter(c, f, i);
}

void cpp_translate_uncalled(cpp_context& c) {
  for (std::size_t i = 0; i < c.functions.size(); ++i) {  // more may come
    const auto f = c.functions[i];
    if (!f->instances.empty()) continue;
    const std::vector<cpp_kind> arrays(f->parameter_count(), array_kind());
    try {
      cpp_instance_for(c, f, arrays, f->where);
    } catch (const error&) { f->instances.clear(); }
  }
}

}  // namespace troupe::shell
