// SPDX-License-Identifier: MIT
#include <algorithm>

#include "troupe/apps/shell/cpp_writer/cpp_convert.hpp"
#include "troupe/apps/shell/cpp_writer/cpp_expression.hpp"
#include "troupe/apps/shell/cpp_writer/cpp_function.hpp"
#include "troupe/apps/shell/cpp_writer/cpp_statement.hpp"

namespace troupe::shell {

namespace {

using type = cpp_kind::type;

constexpr int most_passes = 20;  // until the kinds at the start and at the end of the body agree

/// A loop's head and what its name stands for in the body.
struct loop_head {
  std::string text;
  std::vector<int> counters = {};  ///< entities that the head declares
  cpp_value item = {};             ///< what the name stands for in each turn
  bool turns = false;              ///< it is known to run at least once
};

int own_entity(cpp_context& c, std::string base, cpp_kind kind) {
  return c.entities.add({.is = cpp_entity::what::own, .base = std::move(base), .kind = kind});
}

bool gives_value(const block& statements, symbol name);

struct giving_value {
  symbol name;

  bool operator()(const assignment& s) const {
    return std::find(s.targets.begin(), s.targets.end(), name) != s.targets.end();
  }
  bool operator()(const definition& s) const { return s.name == name; }
  bool operator()(const repetition& s) const { return gives_value(s.body, name); }
  bool operator()(const iteration& s) const { return s.name == name || gives_value(s.body, name); }
  bool operator()(const conditional_loop& s) const { return gives_value(s.body, name); }
  bool operator()(const jump&) const { return false; }
  bool operator()(const choice& s) const {
    return gives_value(s.when_true, name) || gives_value(s.when_false, name);
  }
  bool operator()(const placement& s) const { return gives_value(s.body, name); }
  bool operator()(const in_order& s) const { return gives_value(s.body, name); }
  bool operator()(const timing& s) const { return gives_value(s.body, name); }
  bool operator()(const removal& s) const {
    return std::find(s.names.begin(), s.names.end(), name) != s.names.end();
  }
  bool operator()(const evaluation&) const { return false; }
  bool operator()(const waiting&) const { return false; }
  bool operator()(const printing&) const { return false; }
};

/// Whether statements give a name another value.
bool gives_value(const block& statements, symbol name) {
  return std::any_of(statements.begin(), statements.end(),
                     [&](const statement& s) { return std::visit(giving_value{name}, s.node); });
}

/// Whether an expression is the same each time in a loop: a name whose value stays.
bool stays(const expression& e, const block& body) {
  const auto* name = std::get_if<name_use>(&e.node);
  return name && !gives_value(body, name->name);
}

/// The name of a loop, for a turn.
void begin_turn(cpp_context& c, const loop_head& head, symbol name, const block& body,
                std::source_location where) {
  const bool apart = !head.item.plain || gives_value(body, name);
  c.assign(name, head.item, where).only_if_used = true;
  if (apart) return;
  // The counter itself; the variable is for what comes after the loop.
  c.scope.current()[name] = {pieces_of(head.item.text)[0].entity, head.item.kind};
}

/// Whether a function reads an entity.
bool is_read_by_function(const cpp_context& c, int entity) {
  for (const auto& f : c.functions)
    for (const auto& i : f->instances)
      for (const auto& [name, b] : i->relied_on)
        if (b.entity == entity) return true;
  return false;
}

/// What was an integer before a loop is a real number in it.
void convert(cpp_context& c, const cpp_loop_entry::conversion& one) {
  const auto speaks = [&](const cpp_item& i) {
    return i.entity == one.from || has_mark(i.text, one.from) || !i.body.empty() ||
           i.is == cpp_item::what::functions;
  };
  const auto last = std::find_if(c.block->rbegin(), c.block->rend(), speaks);
  const bool literal = last != c.block->rend() && last->is == cpp_item::what::assignment &&
                       last->entity == one.from && last->operation.empty() &&
                       last->text.find_first_not_of("0123456789") == std::string::npos;
  if (literal && !is_read_by_function(c, one.from)) {  // it may be one from the start
    last->entity = one.to;
    return;
  }
  c.emit({.is = cpp_item::what::assignment, .text = mark(one.from), .entity = one.to});
}

/// The turns of a loop, until what its names are holds for each.
void write_loop(cpp_context& c, const loop_head& head, std::optional<symbol> name,
                const block& body, std::source_location where) {
  cpp_loop_entry start{c.scope, {}};
  if (name) start.names.current().erase(*name);
  auto item = compound_item(head.text, {});
  item.entities = head.counters;
  for (int pass = 0;; ++pass) {
    c.scope = start.names;
    cpp_block turn;
    const auto outer = std::exchange(c.block, &turn);
    try {
      if (name) begin_turn(c, head, *name, body, where);
      cpp_statements(c, body, cpp_place::inner);
    } catch (...) {
      c.block = outer;
      throw;
    }
    c.block = outer;
    item.body = std::move(turn);
    if (!c.variables.widen(start, c.scope.current())) break;
    if (pass == most_passes) refuse("the kinds of the names in a loop", where);
  }
  if (name)
    if (const auto at = c.scope.current().find(*name);
        at != c.scope.current().end() && at->second.entity == head.counters[0])
      at->second.entity = c.variables.of(*name, head.item.kind, c.function(), where);
  for (const auto& one : start.conversions) convert(c, one);
  if (!head.turns) c.scope.current() = c.variables.either(start.names.current(), c.scope.current());
  c.emit(std::move(item));
}

/// Where a loop ends, which is asked for once.
std::string end_text(cpp_context& c, loop_head& head, const cpp_value& stop, const expression* e,
                     const block& body) {
  if (stop.narrow || (e && stop.held && stays(*e, body))) return within(stop, cpp_strength::shift);
  const int end = own_entity(c, "end", {.is = type::integer});
  head.counters.push_back(end);
  head.text += ", " + mark(end) + " = " + stop.text;
  return mark(end);
}

/// for (std::int64_t i = 0; i < n; ++i)
loop_head over_range(cpp_context& c, const std::string& base, const cpp_value& over,
                     const iteration& s, std::source_location where) {
  if (!over.ends) refuse("a loop over a range that has a name", where);
  const auto& ends = *over.ends;
  if (!ends.stop) refuse("a range without an end", where);
  const auto step = ends.step ? known_integer(*ends.step) : 1;
  if (!step || *step == 0) refuse("a loop whose step is not known", where);
  const auto start = ends.start ? *ends.start : cpp_number(0);
  const bool up = *step > 0;
  loop_head head;
  const auto kind =
      cpp_kind{.is = type::integer, .natural = up ? start.kind.natural : ends.stop->kind.natural};
  const int i = own_entity(c, base, kind);
  head.counters = {i};
  head.text = "for (std::int64_t " + mark(i) + " = " + start.text;
  const auto* range = std::get_if<slice_literal>(&s.over.node);
  const auto stop = end_text(c, head, *ends.stop, range ? range->stop.get() : nullptr, s.body);
  const auto by = *step == 1    ? "++" + mark(i)
                  : *step == -1 ? "--" + mark(i)
                  : up          ? mark(i) + " += " + std::to_string(*step)
                                : mark(i) + " -= " + std::to_string(-*step);
  head.text += "; " + mark(i) + (up ? " < " : " > ") + stop + "; " + by + ")";
  head.item = {.kind = kind, .text = mark(i), .plain = true};
  const auto first = known_integer(start), last = known_integer(*ends.stop);
  head.turns = first && last && (up ? *first < *last : *first > *last);
  return head;
}

/// for (const tensor& x : {a, b})
loop_head over_items(cpp_context& c, const std::string& base, const std::string& range,
                     cpp_kind kind, std::source_location where) {
  if (cpp_type(kind).empty()) refuse("a loop over such a list", where);
  kind = without_value(std::move(kind));
  const int one = own_entity(c, base, kind);
  loop_head head;
  head.counters = {one};
  const bool literals = range.starts_with("{\"");
  head.text = "for (" + (literals ? "const std::string" : cpp_parameter_type(kind)) + " " +
              mark(one) + " : " + range + ")";
  head.item = {.kind = kind, .text = mark(one), .plain = true};
  return head;
}

loop_head over_literal(cpp_context& c, const std::string& base, cpp_value over,
                       std::source_location where) {
  std::vector<std::string> texts;
  for (auto& one : over.items) {
    if (one.kind == type::list) one = as_variable(c, one, where);
    if (!same_type(one.kind, over.items[0].kind)) refuse("a list of different shell_values", where);
    texts.push_back(one.kind == type::range ? range_text(one, where) : one.text);
  }
  if (texts.empty()) refuse("a loop over such a list", where);
  auto head = over_items(c, base, "{" + comma_list(texts) + "}", over.items[0].kind, where);
  head.turns = true;
  bool natural = true;
  for (const auto& one : over.items) natural = natural && one.kind.natural;
  head.item.kind.natural = natural;
  return head;
}

/// for (std::int64_t i = 0; i < rows.shape()[0]; ++i)
loop_head over_rows(cpp_context& c, cpp_value over, const iteration& s) {
  if (!over.held || !stays(s.over, s.body)) over = c.named("rows", std::move(over));
  const int i = own_entity(c, "i", {.is = type::integer});
  loop_head head;
  head.counters = {i};
  head.text = "for (std::int64_t " + mark(i) + " = 0; " + mark(i) + " < " + over.text +
              ".shape()[0]; ++" + mark(i) + ")";
  head.item = {.kind = array_kind(), .text = over.text + "[" + mark(i) + "]"};
  return head;
}

loop_head head_of(cpp_context& c, const iteration& s) {
  const auto& base = c.symbols.name(s.name);
  const auto& where = s.over.call_site;
  auto over = cpp_expression(c, s.over);
  if (over.kind == type::mixed) refuse(over.kind.facts, where);
  if (over.kind.listed) refuse("a loop over a list of numbers that a function is given", where);
  switch (over.kind.is) {
    case type::range: return over_range(c, base, over, s, where);
    case type::list: return over_literal(c, base, over, where);
    case type::array: return over_rows(c, std::move(over), s);
    case type::arrays: {
      auto head = over_items(c, base, over.text, array_kind(), where);
      head.turns = over.kind.count > 0;
      return head;
    }
    case type::sizes: {
      const auto sizes = over.held ? over.text : "shape(" + over.text + ")";
      return over_items(c, base, sizes, {.is = type::integer}, where);
    }
    default: refuse("a loop over " + std::string(name_of(over.kind)), where);
  }
}

}  // namespace

void cpp_iteration(cpp_context& c, const iteration& s) {
  const auto head = head_of(c, s);
  write_loop(c, head, s.name, s.body, s.over.call_site);
}

void cpp_repetition(cpp_context& c, const repetition& s) {
  const auto count = as_integer(cpp_expression(c, s.count), "repeat", s.count.call_site);
  const auto known = known_integer(count);
  const int i = own_entity(c, "i", {.is = type::integer});
  loop_head head;
  head.counters = {i};
  head.turns = known && *known > 0;
  const std::string type_name = count.narrow ? "int " : "std::int64_t ";
  head.text = "for (" + type_name + mark(i) + " = 0";
  const auto stop = end_text(c, head, count, &s.count, s.body);
  head.text += "; " + mark(i) + " < " + stop + "; ++" + mark(i) + ")";
  write_loop(c, head, {}, s.body, s.count.call_site);
}

}  // namespace troupe::shell
