// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/cpp_writer/cpp_assignment.hpp"

#include <algorithm>

#include "troupe/apps/shell/cpp_writer/cpp_convert.hpp"
#include "troupe/apps/shell/cpp_writer/cpp_expression.hpp"
#include "troupe/apps/shell/cpp_writer/cpp_operators.hpp"
#include "troupe/apps/shell/cpp_writer/cpp_statement.hpp"

namespace troupe::shell {

namespace {

using type = cpp_kind::type;

/// "+=" where C++ has it for what the name stands for.
bool has_update(binary_operator op, const cpp_kind& old, const cpp_value& value,
                const cpp_kind& result) {
  if (!same_type(old, result)) return false;
  const bool basic = op == binary_operator::add || op == binary_operator::subtract ||
                     op == binary_operator::multiply || op == binary_operator::divide;
  return basic && (old == type::array || is_number(value.kind));
}

void update(cpp_context& c, const assignment& s) {
  const auto name = s.targets[0];
  const auto& where = s.value.call_site;
  const auto value = cpp_settled(c, s.value);
  const auto b = c.find(name);
  if (!b) refuse("nothing is named " + c.symbols.name(name), where);
  const auto old = c.value_of(*b, where);
  auto result = cpp_operation(c, *s.op, old, value, where);
  const bool own = c.scope.current().count(name) > 0;
  const bool short_form = own && has_update(*s.op, old.kind, value, result.kind) && !value.draws;
  result.where = where;
  auto& item = c.assign(name, result, where);
  if (!short_form || item.entity != b->entity) return;
  item.operation = cpp_operator_of(*s.op).sign;
  item.text = is_number(value.kind) ? value.text : as_array(c, value, "the operator", where).text;
}

/// The parts of something, for as many names.
std::vector<cpp_value> parts_of(cpp_context& c, cpp_value value, std::size_t count,
                                std::source_location where) {
  const auto part = [&](std::size_t i, cpp_kind gives) {
    cpp_value one{.kind = std::move(gives), .where = where};
    one.text = within(value, cpp_strength::atom) + "[" + std::to_string(i) + "]";
    return one;
  };
  std::vector<cpp_value> all;
  switch (value.kind.is) {
    case type::list: all = value.items; break;
    case type::array:
    case type::arrays:
      if (!value.plain) value = c.named(value.kind == type::array ? "rows" : "parts", value);
      for (std::size_t i = 0; i < count; ++i) all.push_back(part(i, array_kind()));
      break;
    case type::sizes:
      if (!value.plain) value = c.named("sizes", value);
      for (std::size_t i = 0; i < count; ++i)
        all.push_back(part(i, {.is = type::integer, .natural = true}));
      break;
    default: break;
  }
  if (all.size() != count)
    refuse(std::to_string(count) + " names for " + std::string(name_of(value.kind)), where);
  return all;
}

void unpack_pair(cpp_context& c, const assignment& s, const cpp_value& pair) {
  cpp_item item{.is = cpp_item::what::unpacking, .text = pair.text};
  for (const auto name : s.targets) {
    item.entities.push_back(c.variables.of(name, array_kind(), c.function(), s.value.call_site));
    c.scope.current()[name] = {item.entities.back(), array_kind()};
  }
  c.emit(std::move(item));
}

void unpack(cpp_context& c, const assignment& s) {
  const auto& where = s.value.call_site;
  auto value = cpp_settled(c, s.value);
  if (value.kind.listed) refuse("the items of a list of numbers", where);
  if (value.kind == type::pair && s.targets.size() == 2) return unpack_pair(c, s, value);
  auto parts = parts_of(c, std::move(value), s.targets.size(), where);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    // What a later part reads keeps its old value until then.
    const auto b = c.find(s.targets[i]);
    for (auto k = i + 1; b && b->entity >= 0 && k < parts.size(); ++k)
      if (has_mark(parts[k].text, b->entity))
        parts[k] = c.named("old", as_variable(c, parts[k], where));
    cpp_assign(c, s.targets[i], parts[i], where);
  }
}

}  // namespace

void cpp_assignment(cpp_context& c, const assignment& s) {
  if (s.op) update(c, s);
  else if (s.targets.size() > 1) unpack(c, s);
  else cpp_assign(c, s.targets[0], cpp_settled(c, s.value), s.value.call_site);
  if (c.in_order == 0) return;
  for (const auto name : s.targets)
    if (const auto b = c.find(name); b && b->entity >= 0)
      cpp_wait(c, c.value_of(*b, s.value.call_site));
}

void cpp_assign(cpp_context& c, symbol name, cpp_value value, std::source_location where) {
  if (value.kind == type::none && value.text.empty()) {
    c.scope.current()[name] = {-1, {}};
    return;
  }
  if (value.kind == type::function) {
    const auto f = value.kind.function;
    if (value.fresh) return cpp_define(c, name, f);
    if (!value.acts) {
      const int entity = value.held ? pieces_of(value.text)[0].entity : -1;
      c.scope.current()[name] = {entity, value.kind};
      return;
    }
  }
  c.assign(name, as_variable(c, std::move(value), where), where);
}

void cpp_define(cpp_context& c, symbol name, const cpp_function_ptr& f) {
  f->name = c.symbols.name(name);
  f->has_name = true;
  c.scope.current()[name] = {-1, {.is = type::function, .function = f}};
  c.emit({.is = cpp_item::what::functions, .function = f});
}

void cpp_wait(cpp_context& c, const cpp_value& x) {
  if (x.kind == type::list)
    for (const auto& one : x.items) cpp_wait(c, one);
  if (x.kind == type::array) c.emit(line_item(cpp_member_of(x, "wait()", {}).text + ";"));
  if (x.kind == type::pair)
    for (const char* one : {"first", "second"}) cpp_wait(c, cpp_member_of(x, one, array_kind()));
  if (x.kind != type::arrays) return;
  const int one = c.entities.add({.is = cpp_entity::what::own, .base = "part"});
  auto item = compound_item("for (const tensor& " + mark(one) + " : " + x.text + ")", {});
  item.body.push_back(line_item(mark(one) + ".wait();"));
  item.entities = {one};
  c.emit(std::move(item));
}

}  // namespace troupe::shell
