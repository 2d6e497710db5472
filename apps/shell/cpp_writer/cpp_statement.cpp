// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/cpp_writer/cpp_statement.hpp"

#include "troupe/apps/shell/cpp_writer/cpp_assignment.hpp"
#include "troupe/apps/shell/cpp_writer/cpp_convert.hpp"
#include "troupe/apps/shell/cpp_writer/cpp_expression.hpp"
#include "troupe/apps/shell/cpp_writer/cpp_function.hpp"
#include "troupe/tasks/error.hpp"

namespace troupe::shell {

namespace {

using type = cpp_kind::type;

/// Whether it does something, though its value is not wanted.
bool does_anything(const cpp_value& x) { return !x.plain && (x.acts || x.kind == type::array); }

struct translation {
  cpp_context& c;
  cpp_place place;
  unsigned input;
  bool quiet;

  bool last() const noexcept { return place == cpp_place::last; }
  cpp_place within() const noexcept { return last() ? cpp_place::last : cpp_place::inner; }
  /// A function whose last statement gives nothing.
  void nothing(std::source_location where) const {
    if (last()) cpp_result(c, {}, where);
  }

  void operator()(const assignment& s) const {
    cpp_assignment(c, s);
    if (!last()) return;
    if (s.targets.size() > 1)
      return cpp_result(c, {.kind = {.is = type::mixed}}, s.value.call_site);
    const auto b = *c.find(s.targets[0]);
    if (b.kind == type::none) return nothing(s.value.call_site);
    cpp_result(c,
               b.entity < 0 ? cpp_function_value(c, b.kind.function, s.value.call_site)
                            : c.value_of(b, s.value.call_site),
               s.value.call_site);
  }

  void operator()(const evaluation& s) const {
    auto value = cpp_settled(c, s.value);
    if (last()) return cpp_result(c, std::move(value), s.value.call_site);
    if (place == cpp_place::outermost && value.kind != type::none)
      return output(std::move(value), s.value.call_site);
    discard(value);
  }

  void discard(const cpp_value& value) const {
    if (value.kind == type::none ? value.text.empty() : !does_anything(value)) return;
    const bool waits = c.in_order > 0 && value.kind == type::array;
    if (value.kind == type::list) refuse("a list that nothing is done with", value.where);
    c.emit(line_item((waits ? cpp_member_of(value, "wait()", {}).text : value.text) + ";"));
  }

  /// What is shown, and has a name if a later input speaks of it.
  void output(cpp_value value, std::source_location where) const {
    if (value.kind == type::mixed && quiet) return discard(value);
    const bool function = value.kind == type::function && !value.held && !value.acts;
    if (value.kind == type::pair && !value.plain) {  // it is read twice
      value = c.named("out_" + std::to_string(input), std::move(value));
      c.outputs[input] = {pieces_of(value.text)[0].entity, value.kind};
      if (!quiet) c.emit(line_item(cpp_show(c, value, where)));
      return;
    }
    cpp_item item{.is = cpp_item::what::output, .text = value.text};
    if (!quiet) item.shown = cpp_show(c, value, where);
    else if (value.kind != type::list && does_anything(value)) item.shown = value.text + ";";
    if (function) {
      c.outputs[input] = {-1, value.kind};
      c.emit(line_item(item.shown));
      return;
    }
    try {
      const auto held = as_variable(c, value, where);
      item.text = held.text;
      item.entity = c.entities.add({.base = "out_" + std::to_string(input),
                                    .kind = without_value(held.kind),
                                    .where = where});
      auto named = held;
      named.text = mark(item.entity);
      named.strength = cpp_strength::atom;
      named.items.clear();
      named.ends.reset();
      if (!quiet) item.shown_named = cpp_show(c, named, where);
      c.outputs[input] = {item.entity, named.kind};
    } catch (const error&) {  // then no other input can use it
      c.outputs[input] = {-1, {.is = type::mixed, .facts = "an output that C++ has no type for"}};
      item.entity = -1;
    }
    c.emit(std::move(item));
  }

  void operator()(const definition& s) const {
    const auto f = cpp_closure(c, c.symbols.name(s.name), s.parameters, nullptr, s.body, {});
    cpp_define(c, s.name, f);
    nothing({});
  }

  void operator()(const repetition& s) const {
    cpp_repetition(c, s);
    loop_result(s.body, s.count.call_site);
  }
  void operator()(const iteration& s) const {
    cpp_iteration(c, s);
    loop_result(s.body, s.over.call_site);
  }
  /// A loop gives what its last statement gave the last time.
  void loop_result(const block& body, std::source_location where) const {
    if (!last()) return;
    const auto* a = body.empty() ? nullptr : std::get_if<assignment>(&body.back().node);
    if (!a || a->targets.size() != 1) return cpp_result(c, {.kind = {.is = type::mixed}}, where);
    const auto b = c.find(a->targets[0]);
    const bool known = b && b->kind != type::mixed && b->entity >= 0;
    cpp_result(c, known ? c.value_of(*b, where) : cpp_value{.kind = {.is = type::mixed}}, where);
  }

  void operator()(const conditional_loop& s) const {
    refuse("a while loop", s.condition.call_site);
  }
  void operator()(const jump& s) const { refuse(s.ends_loop ? "break" : "continue", s.call_site); }

  void operator()(const choice& s) const {
    auto item = compound_item("if (" + cpp_condition(c, s.condition, "if").text + ")", {});
    const auto before = c.scope;
    item.body = cpp_inner_block(c, s.when_true, within());
    auto after = std::exchange(c.scope, before);
    item.otherwise = cpp_inner_block(c, s.when_false, within());
    c.scope.current() = c.variables.either(after.current(), c.scope.current());
    c.emit(std::move(item));
  }

  void operator()(const placement& s) const {
    const auto device = cpp_expression(c, s.device);
    if (device.kind != type::device)
      refuse("on wants a device, not " + std::string(name_of(device.kind)), s.device.call_site);
    auto body = cpp_inner_block(c, s.body, within());
    body.insert(body.begin(), line_item("const on_device guard(" + device.text + ");"));
    c.emit(compound_item("", std::move(body)));
  }

  void operator()(const in_order& s) const {
    ++c.in_order;
    cpp_statements(c, s.body, within());
    --c.in_order;
  }

  void operator()(const timing& s) const {
    c.emit(line_item(c.runtime() + ".wait_all();"));
    const int since = c.entities.add({.is = cpp_entity::what::own, .base = "since"});
    c.emit({.text = "const ticks " + mark(since) + " = now();", .entities = {since}});
    cpp_statements(c, s.body, cpp_place::inner);
    c.emit(line_item(c.runtime() + ".wait_all();"));
    c.emit(line_item("std::cout << " + c.runtime() + ".overlap(" + mark(since) + ");"));
    if (last()) cpp_result(c, {.kind = {.is = type::mixed}}, {});
  }

  void operator()(const waiting& s) const {
    if (s.values.empty()) c.emit(line_item(c.runtime() + ".wait_all();"));
    for (const auto& one : s.values) cpp_wait(c, cpp_expression(c, one));
    nothing({});
  }

  void operator()(const printing& s) const {
    for (const auto& one : s.values)
      if (auto value = cpp_settled(c, one); value.kind != type::none)
        c.emit(line_item(cpp_show(c, value, one.call_site)));
    nothing({});
  }

  void operator()(const removal& s) const {
    for (const auto name : s.names) {
      const auto found = c.scope.current().find(name);
      if (found == c.scope.current().end()) continue;
      const auto b = found->second;
      c.scope.current().erase(found);
      if (b.entity >= 0 && (b.kind == type::array || b.kind == type::arrays))
        c.emit({.is = cpp_item::what::assignment, .text = "{}", .entity = b.entity});
    }
    nothing({});
  }
};

}  // namespace

void cpp_statements(cpp_context& c, const block& statements, cpp_place place, unsigned input) {
  for (const auto& s : statements) {
    const bool at_end = place == cpp_place::last && &s == &statements.back();
    const auto here = place == cpp_place::last && !at_end ? cpp_place::inner : place;
    std::visit(translation{c, here, input, s.quiet}, s.node);
  }
  if (place == cpp_place::last && statements.empty()) cpp_result(c, {}, {});
}

cpp_block cpp_inner_block(cpp_context& c, const block& statements, cpp_place place) {
  cpp_block inner;
  struct entered {
    cpp_context& c;
    cpp_block* before;
    ~entered() { c.block = before; }
  } guard{c, c.block};
  c.block = &inner;
  cpp_statements(c, statements, place);
  return inner;
}

void cpp_result(cpp_context& c, cpp_value value, std::source_location where) {
  auto& f = *c.running.back();
  const bool none = value.kind == type::none || value.kind == type::mixed;
  if (!none) value = as_variable(c, std::move(value), where);
  cpp_item item{.is = cpp_item::what::result, .text = value.text};
  item.trivial = !does_anything(value);
  if (value.kind == type::none && !value.text.empty()) item.trivial = false;
  auto kind = without_value(value.kind);
  if (f.results++ == 0) {
    f.returns = kind;
    f.typed = value.narrow || value.kind == type::text || value.kind == type::integer;
  } else if (same_type(f.returns, kind)) {
    f.returns = joined(f.returns, kind);
    f.typed = f.typed || (kind != type::array && kind != type::none);
  } else {
    f.returns = {.is = type::mixed,
                 .facts = f.of->title + " gives " + std::string(name_of(f.returns)) + " or " +
                          std::string(name_of(kind)) + ", as the program runs"};
  }
  if (f.returns == type::mixed && f.returns.facts.empty())
    f.returns.facts = "what " + f.of->title + " gives";
  c.emit(std::move(item));
}

}  // namespace troupe::shell
