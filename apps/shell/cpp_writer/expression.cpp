// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <limits>
#include <numbers>

#include "troupe/apps/shell/cpp_writer/writer.hpp"

namespace troupe::shell::cpp {

namespace {

/// A dtype or a constant of the language.
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

/// "range{1, 3}" or "range{.stop = 3}".
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
  auto out = std::visit([&](const auto& node) { return write(node, e); }, e.node);
  frame_->acts = frame_->acts || out.acts;
  return out;
}

/// The values of expressions. C++ has no order for them: where several draw random numbers or
/// print, all but the last are constants in front of the statement.
std::vector<value> writer::write_in_order(std::span<const expression* const> all) {
  std::vector<value> out;
  value* earlier = nullptr;  // the last one that acts
  std::size_t line = 0, statement = 0;
  out.reserve(all.size());
  for (const auto* one : all) {
    out.push_back(write(*one));
    if (!out.back().acts) continue;
    if (earlier) {
      const auto at = line + frame_->statement - statement;  // declarations came before it
      if (type_of(earlier->is).empty())
        refuse("random numbers within " + std::string(name_of(earlier->is)), one->call_site);
      *earlier = fresh("first", *earlier, at);
    }
    earlier = &out.back();
    line = frame_->lines.size();
    statement = frame_->statement;
  }
  return out;
}

value writer::write(const number_literal& x, const expression&) { return constant_of(x.value); }

value writer::write(const text_literal& x, const expression&) {
  return {.is = kind::text, .text = quoted(x.value), .known_text = x.value};
}

value writer::write(const none_literal&, const expression&) { return {}; }

value writer::write(const new_axis_literal&, const expression& e) {
  refuse("newaxis without brackets", e.call_site);
}

value writer::write(const rest_literal&, const expression& e) {
  refuse("...: write a : for each axis", e.call_site);
}

value writer::write(const name_use& x, const expression& e) {
  if (const auto* found = find(x.name)) return *found;
  const auto& name = symbols_.name(x.name);
  if (auto known = constant_named(name)) return *known;
  const auto* w = find_word(name);
  if (!w) refuse("nothing is named " + name + " there", e.call_site);
  auto f = std::make_shared<function>();
  f->builtin = w;
  f->shown = usage(*w) + "\n    " + std::string(w->doc);
  return {.is = kind::function, .function = std::move(f)};
}

/// Gives an output that is used again a name, where it was shown.
value writer::write(const output_use& x, const expression& e) {
  const auto found = x.number > 0       ? outputs_.find(static_cast<unsigned>(x.number))
                     : outputs_.empty() ? outputs_.end()
                                        : std::prev(outputs_.end());
  if (found == outputs_.end()) refuse("there is no such output", e.call_site);
  if (frame_ != &main_) refuse("an output within a function", e.call_site);
  auto& [line, lines, shown, quiet] = found->second;
  if (lines == 0 || shown.constant || shown.is == kind::function) return shown;
  if (type_of(shown.is).empty())
    refuse("an output that is " + std::string(name_of(shown.is)), e.call_site);
  const auto name = unused_name("out_" + std::to_string(found->first));
  for (auto i = line; i < line + lines; ++i) main_.lines[i].clear();
  const value named{.is = shown.is, .text = name, .variable = true};
  main_.lines[line] = "const " + std::string(type_of(shown.is)) + " " + name + " = " +
                      typed(shown) + ";" + (quiet ? "" : "\n  " + show(named, e.call_site));
  shown = named;
  lines = 0;
  return shown;
}

value writer::write(const sequence_literal& x, const expression&) {
  std::vector<const expression*> all;
  for (const auto& one : x.items) all.push_back(&one);
  value out{.is = kind::list, .items = write_in_order(all)};
  for (const auto& one : out.items) out.acts = out.acts || one.acts;
  return out;
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
  constexpr std::pair<std::string_view, kind> members[] = {
      {"T", kind::array},       {"shape", kind::sizes},  {"dtype", kind::dtype},
      {"device", kind::device}, {"size", kind::integer}, {"ready", kind::truth},
      {"failed", kind::truth}};
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
  std::string names;
  for (const auto one : x.parameters) names += (names.empty() ? "" : ", ") + symbols_.name(one);
  f->shown = (x.parameters.size() == 1 ? names : "(" + names + ")") + " -> ...";
  return {.is = kind::function, .function = std::move(f)};
}

value writer::write(const call& x, const expression& e) {
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
    if (callee.is == kind::dtype) {
      const auto given = as_array(write(x.arguments.at(0)), e.call_site);
      return call_of("astype", {given, callee}, kind::array);
    }
  }
  if (!what && !f) refuse("a call of what is no function", e.call_site);
  for (const auto& one : x.arguments) all.push_back(&one);
  const auto unnamed = all.size();
  for (const auto& one : x.named) all.push_back(one.value.get());
  auto given = write_in_order(all);
  if (!what) return call_function(*f, std::move(given), e.call_site);
  std::vector<std::pair<std::string, value>> named;
  for (auto i = unnamed; i < given.size(); ++i)
    named.emplace_back(symbols_.name(x.named[i - unnamed].name), given[i]);
  given.resize(unnamed);
  return call_word(*this, *what, std::move(given), std::move(named), e.call_site);
}

value writer::item_of(const value& x, const value& at, std::source_location where) {
  if (at.is == kind::range || at.is == kind::list) refuse("a part of a list", where);
  const auto i = as_integer(at, where);
  const double place = i.constant ? i.constant->real() : -1;
  if (x.is == kind::pair) {
    if (!i.constant) refuse("an item of a pair whose number is not written there", where);
    return member_of(x, place == 0 || place == -2 ? "first" : "second", kind::array);
  }
  const auto gives = x.is == kind::sizes ? kind::integer : kind::array;
  if (place < 0) return call_of("item", {x, i}, gives);
  return {.is = gives, .text = within(x, of_atom) + "[" + i.text + "]", .acts = x.acts};
}

/// x[0], x(range{1, 3}, every, newaxis), and take for an array of positions.
value writer::part_of(value x, const std::vector<expression>& items, std::source_location where) {
  std::vector<std::string> texts;
  std::optional<value> positions;
  int axis = 0, axes = 0;
  for (const auto& one : items) {
    if (std::holds_alternative<new_axis_literal>(one.node) ||
        std::holds_alternative<none_literal>(one.node)) {
      texts.emplace_back("newaxis");
      ++axes;
      continue;
    }
    const auto at = write(one);
    x.acts = x.acts || at.acts;
    if (at.is == kind::integer) {
      texts.push_back(at.text);
      continue;
    }
    if (at.is != kind::range) {
      if (positions || is_number(at.is)) refuse("such an index", where);
      positions = as_array(at, where);
      axis = axes;
    }
    texts.push_back(at.is == kind::range ? range_text(at) : "every");
    ++axes;
  }
  while (!texts.empty() && texts.back() == "every") texts.pop_back();
  if (texts.size() > 8) refuse("more than eight indices", where);
  std::string list;
  for (const auto& one : texts) list += (list.empty() ? "" : ", ") + one;
  value out{.is = kind::array, .text = within(x, of_atom), .acts = x.acts};
  if (texts.size() == 1) out.text += "[" + list + "]";
  else if (!texts.empty()) out.text += "(" + list + ")";
  if (!positions) return out;
  return call_of("take", {out, *positions, constant_of(axis)}, kind::array);
}

value writer::write(const subscript& x, const expression& e) {
  auto object = settled(write(*x.object), e.call_site);
  if (object.is == kind::array || object.is == kind::range)
    return part_of(as_array(object, e.call_site), x.items, e.call_site);
  const bool list =
      object.is == kind::arrays || object.is == kind::sizes || object.is == kind::pair;
  if (!list || x.items.size() != 1)
    refuse("an item of " + std::string(name_of(object.is)), e.call_site);
  return item_of(object, write(x.items[0]), e.call_site);
}

}  // namespace troupe::shell::cpp
