// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/cpp_writer/cpp_expression.hpp"

#include "troupe/apps/shell/cpp_writer/cpp_call.hpp"
#include "troupe/apps/shell/cpp_writer/cpp_convert.hpp"
#include "troupe/apps/shell/cpp_writer/cpp_function.hpp"
#include "troupe/apps/shell/cpp_writer/cpp_operators.hpp"
#include "troupe/apps/shell/evaluator/word.hpp"

namespace troupe::shell {

namespace {

using type = cpp_kind::type;

std::optional<cpp_value> constant_of(std::string_view name) {
  cpp_value out{.kind = {.is = type::real}, .plain = true};
  const auto named = [&](std::string_view text) {
    out.text = text;
    return out;
  };
  if (name == "pi") return named("std::numbers::pi");
  if (name == "e") return named("std::numbers::e");
  if (name == "inf") return named("std::numeric_limits<double>::infinity()");
  if (name == "nan") return named("std::numeric_limits<double>::quiet_NaN()");
  for (const auto t : all_dtypes)
    if (troupe::name(t) == name) {
      out.kind.is = type::dtype;
      out.text = t == boolean ? "boolean" : std::string(name);
      return out;
    }
  return {};
}

/// A dtype is called, too: float32(x).
cpp_value conversion(cpp_context& c, const cpp_value& to, std::vector<cpp_value> given,
                     std::source_location where) {
  if (given.size() != 1) refuse(to.text + " takes 1 argument", where);
  std::vector all = {as_array(c, given[0], to.text, where), to};
  return cpp_call_of("astype", all, array_kind());
}

struct translation {
  cpp_context& c;
  const expression& e;

  cpp_value operator()(const number_literal& x) const { return cpp_number(x.value); }
  cpp_value operator()(const text_literal& x) const { return cpp_text(x.value); }
  cpp_value operator()(const none_literal&) const { return {}; }
  cpp_value operator()(const new_axis_literal&) const {
    refuse("newaxis is only for brackets", e.call_site);
  }
  cpp_value operator()(const rest_literal&) const {
    refuse("... is only for brackets", e.call_site);
  }

  cpp_value operator()(const name_use& x) const {
    if (const auto found = c.find(x.name)) {
      if (found->kind == type::none) return {};
      if (found->kind == type::function && found->entity < 0)
        return cpp_function_value(c, found->kind.function, e.call_site);
      return c.value_of(*found, e.call_site);
    }
    const auto& name = c.symbols.name(x.name);
    if (auto known = constant_of(name)) return *known;
    if (const auto* w = find_word(name)) {
      auto f = std::make_shared<cpp_function>();
      f->is = cpp_function::what::word;
      f->name = f->title = name;
      f->builtin = w;
      f->where = e.call_site;
      return cpp_function_value(c, f, e.call_site);
    }
    refuse("nothing is named " + name, e.call_site);
  }

  cpp_value operator()(const output_use& x) const {
    const auto found = x.number > 0        ? c.outputs.find(static_cast<unsigned>(x.number))
                       : c.outputs.empty() ? c.outputs.end()
                                           : std::prev(c.outputs.end());
    if (found == c.outputs.end()) refuse("there is no such output", e.call_site);
    const auto& b = found->second;
    if (b.kind == type::function && b.entity < 0)
      return cpp_function_value(c, b.kind.function, e.call_site);
    return c.value_of(b, e.call_site);
  }

  cpp_value operator()(const sequence_literal& x) const {
    cpp_value out{.kind = {.is = type::list}};
    std::vector<const expression*> all;
    for (const auto& one : x.items) all.push_back(&one);
    out.items = cpp_operands(c, all);
    for (const auto& one : out.items) {
      out.draws = out.draws || one.draws;
      out.acts = out.acts || one.acts;
    }
    return out;
  }

  cpp_value operator()(const unary& x) const {
    if (x.op == unary_operator::negation) {
      auto truth = cpp_condition(c, *x.x, "not");
      truth.text = "!" + within(truth, cpp_strength::sign);
      truth.strength = cpp_strength::sign;
      truth.kind = {.is = type::truth};
      truth.plain = false;
      return truth;
    }
    return cpp_operation(c, x.op, cpp_expression(c, *x.x), e.call_site);
  }

  cpp_value operator()(const binary& x) const {
    if (x.op == binary_operator::both || x.op == binary_operator::either) return logical(x);
    auto both = cpp_operands(c, {x.x.get(), x.y.get()});
    return cpp_operation(c, x.op, std::move(both[0]), std::move(both[1]), e.call_site);
  }

  /// The operand that settles it: both are truths, or the first is named twice.
  cpp_value logical(const binary& x) const {
    const bool both = x.op == binary_operator::both;
    const auto first = cpp_expression(c, *x.x);
    ++c.maybe;
    const auto second = cpp_expression(c, *x.y);
    --c.maybe;
    if (first.kind == type::truth && second.kind == type::truth)
      return cpp_binary_of(both ? "&&" : "||", both ? cpp_strength::both : cpp_strength::either,
                           first, second, {.is = type::truth});
    if (!first.plain || !same_type(first.kind, second.kind) || first.kind == type::list)
      refuse(both ? "the value of and" : "the value of or", e.call_site);
    const auto truth = as_condition(first, both ? "and" : "or", e.call_site);
    cpp_value out{.kind = joined(first.kind, second.kind), .draws = second.draws};
    out.text = within(truth, cpp_strength::choice + 1) + " ? " +
               (both ? second.text + " : " + first.text : first.text + " : " + second.text);
    out.strength = cpp_strength::choice;
    out.acts = true;
    return out;
  }

  cpp_value operator()(const slice_literal& x) const {
    auto ends = std::make_shared<cpp_range_ends>();
    const auto end = [&](const expression_ptr& part) -> std::optional<cpp_value> {
      if (!part) return {};
      auto value = cpp_expression(c, *part);
      if (value.kind == type::none) return {};
      return as_integer(value, "the range", part->call_site);
    };
    ends->start = end(x.start);
    ends->stop = end(x.stop);
    ends->step = end(x.step);
    cpp_value out{.kind = {.is = type::range}, .ends = ends};
    return out;
  }

  cpp_value operator()(const call& x) const {
    cpp_value callee;
    std::vector<const expression*> all;
    if (const auto* method = std::get_if<attribute>(&x.function->node)) {  // x.sum(1)
      all.push_back(method->object.get());
      callee = word_named(c.symbols.name(method->name), x.function->call_site);
    } else {
      callee = cpp_expression(c, *x.function);
    }
    for (const auto& one : x.arguments) all.push_back(&one);
    for (const auto& one : x.named) all.push_back(one.value.get());
    auto given = cpp_operands(c, all);
    std::vector<cpp_named_value> named;
    const auto unnamed = given.size() - x.named.size();
    for (std::size_t i = 0; i < x.named.size(); ++i)
      named.push_back({c.symbols.name(x.named[i].name), std::move(given[unnamed + i])});
    given.resize(unnamed);
    if (callee.kind == type::dtype && named.empty())
      return conversion(c, callee, std::move(given), e.call_site);
    if (callee.kind != type::function)
      refuse(std::string(name_of(callee.kind)) + " cannot be called", e.call_site);
    if (const auto* w = callee.kind.function->builtin; w && !callee.held)
      return cpp_call_word(c, *w, std::move(given), std::move(named), e.call_site);
    if (!named.empty()) refuse("arguments with names for this function", e.call_site);
    return cpp_call_function(c, callee, std::move(given), e.call_site);
  }

  cpp_value word_named(const std::string& name, std::source_location where) const {
    const auto* w = find_word(name);
    if (!w) refuse("." + name + " is no function", where);
    cpp_value out{.kind = {.is = type::function}};
    out.kind.function = std::make_shared<cpp_function>();
    out.kind.function->is = cpp_function::what::word;
    out.kind.function->builtin = w;
    return out;
  }

  cpp_value operator()(const attribute& x) const {
    const auto object = cpp_expression(c, *x.object);
    const auto& name = c.symbols.name(x.name);
    if (auto found = cpp_attribute(c, object, name, e.call_site)) return *found;
    refuse(std::string(name_of(object.kind)) + " has no attribute " + name, e.call_site);
  }

  cpp_value operator()(const subscript& x) const {
    return cpp_subscript(c, cpp_expression(c, *x.object), x.items, e.call_site);
  }

  cpp_value operator()(const lambda& x) const {
    auto out = cpp_function_value(
        c, cpp_closure(c, "the function", x.parameters, x.body, nullptr, e.call_site), e.call_site);
    out.fresh = true;
    return out;
  }
};

}  // namespace

cpp_value cpp_expression(cpp_context& c, const expression& e) {
  auto out = std::visit(translation{c, e}, e.node);
  out.where = e.call_site;
  return out;
}

std::vector<cpp_value> cpp_operands(cpp_context& c, const std::vector<const expression*>& all) {
  const auto start = static_cast<std::ptrdiff_t>(c.block->size());
  for (bool apart = false;; apart = true) {
    std::vector<cpp_value> values;
    bool drawn = false, disordered = false;
    for (const auto* one : all) {
      const auto before = c.block->size();
      values.push_back(cpp_expression(c, *one));
      disordered = disordered || (drawn && c.block->size() > before);
      if (apart && values.back().draws && one != all.back())
        values.back() = c.named("drawn", std::move(values.back()));
      drawn = drawn || values.back().draws;
    }
    if (!disordered) return values;
    // What a later one needs beforehand would be drawn before an earlier one.
    c.block->erase(c.block->begin() + start, c.block->end());
  }
}

cpp_value cpp_settled(cpp_context& c, const expression& e) {
  auto value = cpp_expression(c, e);
  return std::holds_alternative<sequence_literal>(e.node) ? as_settled(c, std::move(value)) : value;
}

cpp_value cpp_condition(cpp_context& c, const expression& e, std::string_view what) {
  if (const auto* x = std::get_if<binary>(&e.node);
      x && (x->op == binary_operator::both || x->op == binary_operator::either)) {
    const bool both = x->op == binary_operator::both;
    const auto first = cpp_condition(c, *x->x, both ? "and" : "or");
    ++c.maybe;
    const auto second = cpp_condition(c, *x->y, what);
    --c.maybe;
    return cpp_binary_of(both ? "&&" : "||", both ? cpp_strength::both : cpp_strength::either,
                         first, second, {.is = type::truth});
  }
  return as_condition(cpp_expression(c, e), what, e.call_site);
}

}  // namespace troupe::shell
