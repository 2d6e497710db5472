// SPDX-License-Identifier: MIT
#include <limits>
#include <numbers>

#include "troupe/apps/shell/cpp_writer/writer.hpp"

namespace troupe::shell::cpp {

namespace {

/// Returns a dtype or a constant of the language.
std::optional<value> constant_named(std::string_view name) {
  for (const auto t : all_dtypes) {
    if (troupe::name(t) == name)
      return value{.is = kind::dtype, .text = t == boolean ? "boolean" : std::string(name)};
  }
  if (name == "pi") return constant_of(std::numbers::pi);
  if (name == "e") return constant_of(std::numbers::e);
  if (name == "inf") return constant_of(std::numeric_limits<double>::infinity());
  if (name == "nan") return constant_of(std::numeric_limits<double>::quiet_NaN());
  return {};
}

/// Writes "range{1, 3}" or "range{.stop = 3}".
std::string range_text(const value& x) {
  constexpr std::string_view names[] = {".start = ", ".stop = ", ".step = "};
  const bool full = x.items[0].is != kind::none && x.items[1].is != kind::none;
  std::string out;
  for (std::size_t i = 0; i < 3; ++i) {
    if (x.items[i].is != kind::none)
      out += (out.empty() ? "" : ", ") + (full ? "" : std::string(names[i])) + x.items[i].text;
  }
  return out.empty() ? "every" : "range{" + out + "}";
}

}  // namespace

value writer::write(const expression& e) {
  return std::visit([&](const auto& node) { return write(node, e); }, e.node);
}

/// Writes operands. C++ evaluates them in any order, so only one of them may draw random numbers or
/// print.
std::vector<value> writer::write_all(std::span<const expression* const> all) {
  std::vector<value> out;
  int acting = 0;
  for (const auto* one : all) {
    const int before = acts_;
    out.push_back(write(*one));
    if (acts_ != before && ++acting > 1)
      refuse("random numbers twice in an expression", one->call_site);
  }
  return out;
}

value writer::write(const number_literal& x, const expression& e) {
  return constant_of(x.value, e.call_site);
}

value writer::write(const text_literal& x, const expression&) {
  return {.is = kind::text, .text = quoted(x.value)};
}

value writer::write(const none_literal&, const expression&) { return {}; }

value writer::write(const name_use& x, const expression& e) {
  if (const auto* found = find(x.name)) return *found;
  const auto& name = symbols_.name(x.name);
  if (auto known = constant_named(name)) return *known;
  const auto* w = find_word(name);
  if (!w) refuse("nothing is named " + name + " there", e.call_site);
  auto f = std::make_shared<function>();
  f->builtin = w;
  return {.is = kind::function, .function = std::move(f)};
}

value writer::write(const sequence_literal& x, const expression&) {
  std::vector<const expression*> all;
  for (const auto& one : x.items) all.push_back(&one);
  return {.is = kind::list, .items = write_all(all)};
}

value writer::write(const slice_literal& x, const expression& e) {
  value out{.is = kind::range};
  for (const auto* part : {&x.start, &x.stop, &x.step}) {
    value end;
    if (*part) end = write(**part);
    out.items.push_back(end.is == kind::none ? end : as_integer(end, e.call_site));
  }
  return out;
}

value writer::write(const attribute& x, const expression& e) {
  const auto object = as_array(write(*x.object), e.call_site);
  const auto& name = symbols_.name(x.name);
  constexpr std::pair<std::string_view, kind> members[] = {{"T", kind::array},
                                                           {"shape", kind::sizes},
                                                           {"dtype", kind::dtype},
                                                           {"device", kind::device},
                                                           {"size", kind::integer}};
  for (const auto& [member, gives] : members) {
    if (member == name) return member_of(object, name + "()", gives);
  }
  if (name != "ndim") refuse("the " + name + " of an array", e.call_site);
  return call_of("std::int64_t", {member_of(object, "rank()", kind::integer)}, kind::integer);
}

value writer::write(const lambda& x, const expression&) {
  auto f = std::make_shared<function>();
  f->parameters = x.parameters;
  f->result = x.body;
  f->around = frame_ == &main_ ? nullptr : frame_;
  return {.is = kind::function, .function = std::move(f)};
}

value writer::write(const call_expression& x, const expression& e) {
  if (const auto [part, whole] = part_to_change(x, symbols_); part) {
    const auto object = settled(write(*whole), e.call_site);
    if (object.is != kind::array || x.arguments.size() != 1 || !x.named.empty())
      refuse("such a change of a part", e.call_site);
    return with_part(object, part->items, symbols_.name(std::get<attribute>(x.function->node).name),
                     settled(write(x.arguments[0]), e.call_site), e.call_site);
  }
  std::vector<const expression*> all;
  const word* what = nullptr;
  std::shared_ptr<function> f;
  if (const auto* method = std::get_if<attribute>(&x.function->node)) {
    what = find_word(symbols_.name(method->name));
    all.push_back(method->object.get());
  } else {
    const auto callee = write(*x.function);
    if (callee.is == kind::function) f = callee.function;
    if (f && f->builtin) what = f->builtin;
  }
  if (!what && !f) refuse("a call of what is no function", e.call_site);
  for (const auto& one : x.arguments) all.push_back(&one);
  const auto unnamed = all.size();
  for (const auto& one : x.named) all.push_back(one.value.get());
  auto given = write_all(all);
  if (what && what->group == "random") ++acts_;
  if (!what) return call_function(*f, std::move(given), e.call_site);
  std::vector<std::pair<std::string, value>> named;
  for (auto i = unnamed; i < given.size(); ++i)
    named.emplace_back(symbols_.name(x.named[i - unnamed].name), given[i]);
  given.resize(unnamed);
  return call_word(*what, std::move(given), std::move(named), e.call_site);
}

value writer::item_of(const value& x, const value& at, std::source_location where) {
  const auto i = as_integer(at, where);
  const bool size = x.is == kind::sizes;
  if (!i.constant || (!size && i.constant->real() < 0))
    refuse("an item of a list whose number is not written there", where);
  return {.is = size ? kind::integer : kind::array,
          .text = within(x, of_atom) + "[" + i.text + "]"};
}

/// Writes the indices of x[0], x(range{1, 3}, every, newaxis).
std::vector<value> writer::indices_of(const std::vector<expression>& items,
                                      std::source_location where) {
  std::vector<value> all;
  for (const auto& one : items) {
    if (std::holds_alternative<new_axis_literal>(one.node)) {
      all.push_back({.text = "newaxis"});
      continue;
    }
    if (std::holds_alternative<rest_literal>(one.node)) {
      all.push_back({.text = "ellipsis"});
      continue;
    }
    const auto at = settled(write(one), where);
    if (at.is != kind::integer && at.is != kind::range && at.is != kind::array)
      refuse("such an index", where);
    all.push_back({.text = at.is == kind::range ? range_text(at) : at.text});
  }
  if (all.size() > max_rank) refuse("so many indices", where);
  return all;
}

value writer::part_of(const value& x, const std::vector<expression>& items,
                      std::source_location where) {
  auto all = indices_of(items, where);
  while (!all.empty() && all.back().text == "every") all.pop_back();
  value out{.is = kind::array, .text = within(x, of_atom)};
  if (all.size() == 1) out.text += "[" + all[0].text + "]";
  else if (!all.empty()) out.text += "(" + comma_list(all) + ")";
  return out;
}

value writer::write(const subscript& x, const expression& e) {
  const auto object = settled(write(*x.object), e.call_site);
  if (object.is == kind::array) return part_of(object, x.items, e.call_site);
  const bool list = object.is == kind::arrays || object.is == kind::sizes;
  if (!list || x.items.size() != 1) refuse("an item of " + name_of(object.is), e.call_site);
  return item_of(object, write(x.items[0]), e.call_site);
}

/// Writes x.at(0).add(y) for x.at[0].add(y).
value writer::with_part(const value& x, const std::vector<expression>& items,
                        const std::string& how, const value& given, std::source_location where) {
  const auto indices = indices_of(items, where);
  return {.is = kind::array,
          .text = within(x, of_atom) + ".at(" + comma_list(indices) + ")." + how + "(" +
                  given.text + ")"};
}

/// Writes x.at(0).set(y) for x[0] = y.
value writer::write(const replacement& x, const expression& e) {
  const auto& part = std::get<subscript>(x.part->node);
  const auto object = settled(write(*part.object), e.call_site);
  if (object.is != kind::array) refuse("an item of " + name_of(object.is), e.call_site);
  auto given = settled(write(*x.value), e.call_site);
  if (x.op)
    given = compute(*x.op, part_of(object, part.items, e.call_site), std::move(given), e.call_site);
  return with_part(object, part.items, "set", given, e.call_site);
}

}  // namespace troupe::shell::cpp
