// SPDX-License-Identifier: MIT
#include <algorithm>

#include "troupe/apps/shell/cpp_writer/cpp_convert.hpp"
#include "troupe/apps/shell/cpp_writer/cpp_expression.hpp"
#include "troupe/tensor/index.hpp"

namespace troupe::shell {

namespace {

using type = cpp_kind::type;

/// What stands in brackets.
struct item {
  enum class what { position, extent, new_axis, rest, positions };
  what is;
  cpp_value value = {};
};

/// The item of a list at a place that C++ counts from the start.
cpp_value list_item(const cpp_value& list, const cpp_value& at, std::string_view size,
                    cpp_kind gives, std::source_location where) {
  const auto i = as_integer(at, "index", where);
  const auto known = known_integer(i);
  std::string text = i.text;
  if (known && *known < 0) {
    text = list.kind.count >= 0 ? std::to_string(list.kind.count + *known)
                                : std::string(size) + " - " + std::to_string(-*known);
  } else if (!known && !i.kind.natural) {
    refuse("an index of a list that may count from its end", where);
  }
  cpp_value out{.kind = std::move(gives), .draws = list.draws || i.draws, .acts = list.acts};
  out.text = within(list, cpp_strength::atom) + "[" + text + "]";
  out.plain = list.plain && i.plain;
  return out;
}

/// A part of a list that is written there.
cpp_value part_of_literal(const cpp_value& list, const cpp_value& at, std::source_location where) {
  const auto end = [&](const std::optional<cpp_value>& e) -> std::optional<std::int64_t> {
    if (!e) return {};
    const auto known = known_integer(*e);
    if (!known) refuse("a part of a list whose ends are not known", where);
    return known;
  };
  const range r{end(at.ends->start), end(at.ends->stop), end(at.ends->step).value_or(1)};
  const auto part = resolve(r, static_cast<std::int64_t>(list.items.size()));
  auto out = list;
  out.items.clear();
  for (std::int64_t i = 0; i < part.count; ++i)
    out.items.push_back(list.items[static_cast<std::size_t>(part.start + i * part.step)]);
  return out;
}

cpp_value item_of_literal(const cpp_value& list, const cpp_value& at, std::source_location where) {
  if (list.draws) refuse("an item of a list with random numbers that is written there", where);
  if (at.ends) return part_of_literal(list, at, where);
  const auto i = known_integer(as_integer(at, "index", where));
  const auto size = static_cast<std::int64_t>(list.items.size());
  if (!i || *i >= size || *i < -size) refuse("an index of a list that is written there", where);
  return list.items[static_cast<std::size_t>(*i < 0 ? *i + size : *i)];
}

cpp_value item_of_list(cpp_context& c, cpp_value x, const cpp_value& at,
                       std::source_location where) {
  if (x.kind == type::list) return item_of_literal(x, at, where);
  if (at.kind == type::range) refuse("a part of a list", where);
  if (x.kind == type::pair) {
    const auto i = known_integer(as_integer(at, "index", where));
    if (!i) refuse("an index of two arrays that is not known", where);
    return cpp_member_of(x, *i == 0 || *i == -2 ? "first" : "second", array_kind());
  }
  const auto known = at.kind == type::integer ? known_integer(at) : std::nullopt;
  if (!x.plain && x.kind.count < 0 && known && *known < 0)  // it is read twice
    x = c.named(x.kind == type::sizes ? "sizes" : "parts", std::move(x));
  if (x.kind == type::sizes) {  // the shape of what is in front of .shape()
    const bool whole = x.text.ends_with(".shape()");
    const auto rank = whole ? x.text.substr(0, x.text.size() - 7) + "rank()" : x.text + ".rank()";
    return list_item(x, at, rank, {.is = type::integer, .natural = true}, where);
  }
  return list_item(x, at, x.text + ".size()", array_kind(), where);
}

/// Applies the items to an array.
class array_part {
 public:
  array_part(cpp_context& c, cpp_value x, std::vector<item> items, std::source_location where)
      : c_(c), x_(std::move(x)), items_(std::move(items)), where_(where) {}

  cpp_value write() {
    const auto is_rest = [](const item& i) { return i.is == item::what::rest; };
    const auto rest = std::find_if(items_.begin(), items_.end(), is_rest);
    if (rest == items_.end() || rest + 1 == items_.end()) {
      from_front(items_.begin(), rest);
      return x_;
    }
    if (std::any_of(rest + 1, items_.end(), is_rest)) refuse("... stands twice", where_);
    from_front(items_.begin(), rest);
    from_back(rest + 1, items_.end());
    return x_;
  }

 private:
  using place = std::vector<item>::iterator;

  /// x[0], x(range{1, 3}, every, newaxis), and take for an array of positions.
  void from_front(place begin, place end) {
    std::vector<std::string> texts;
    const item* picked = nullptr;
    int axis = 0, axes = 0;
    for (auto i = begin; i != end; ++i) {
      if (i->is == item::what::positions) {
        if (picked) refuse("two indices that are arrays", where_);
        picked = &*i;
        axis = axes;
      }
      texts.push_back(text_of(*i));
      if (i->is != item::what::position) ++axes;
    }
    while (!texts.empty() && texts.back() == "every") texts.pop_back();
    if (texts.size() > 8) refuse("more than eight indices", where_);
    if (!texts.empty()) {
      const bool one = texts.size() == 1;
      x_.text = within(x_, cpp_strength::atom) + (one ? "[" : "(") + comma_list(texts) +
                (one ? "]" : ")");
      becomes_part();
    }
    if (picked) take(picked->value, axis);
  }

  /// What comes behind `...`, from the last axis on.
  void from_back(place begin, place end) {
    int axis = -1;
    for (auto i = end; i != begin; --i) {
      const auto& one = *(i - 1);
      switch (one.is) {
        case item::what::position: position_at(one.value, axis); break;
        case item::what::extent: extent_at(one, axis--); break;
        case item::what::new_axis: call("expand_dims", {cpp_number(axis--)}); break;
        default:
          if (i - 1 != begin) refuse("an index that is an array and not next to ...", where_);
          take(one.value, axis);
      }
    }
  }

  void position_at(const cpp_value& at, int axis) {
    const auto known = known_integer(at);
    if (!known) return take(as_array(c_, at, "index", where_), axis);
    auto start = cpp_number(*known), stop = cpp_number(*known + 1);
    if (*known == -1) stop.text = "{}";
    call("slice", {cpp_number(axis), start, stop});
    call("squeeze", {cpp_number(axis)});
  }

  void extent_at(const item& one, int axis) {
    if (!one.value.ends) refuse("a range that has a name, behind ...", where_);
    const auto& [start, stop, step] = *one.value.ends;
    if (!start && !stop && !step) return;
    const auto absent = [](const std::optional<cpp_value>& end) {
      return end ? *end : cpp_value{.text = "{}"};
    };
    std::vector all = {cpp_number(axis), absent(start), absent(stop)};
    if (step) all.push_back(*step);
    call("slice", all);
  }

  void take(const cpp_value& positions, int axis) { call("take", {positions, cpp_number(axis)}); }

  void call(std::string_view function, std::vector<cpp_value> arguments) {
    arguments.insert(arguments.begin(), x_);
    x_ = cpp_call_of(function, arguments, array_kind());
  }

  void becomes_part() {
    x_.kind = array_kind();
    x_.strength = cpp_strength::atom;
    x_.plain = false;
    x_.acts = true;
    x_.narrow = false;
  }

  std::string text_of(const item& one) const {
    switch (one.is) {
      case item::what::position: return one.value.text;
      case item::what::extent: return range_text(one.value, where_);
      case item::what::new_axis: return "newaxis";
      default: return "every";
    }
  }

  cpp_context& c_;
  cpp_value x_;
  std::vector<item> items_;
  std::source_location where_;
};

item item_of(cpp_context& c, const expression& e, std::source_location where) {
  if (std::holds_alternative<rest_literal>(e.node)) return {item::what::rest};
  if (std::holds_alternative<new_axis_literal>(e.node) ||
      std::holds_alternative<none_literal>(e.node))
    return {item::what::new_axis};
  auto value = cpp_expression(c, e);
  if (value.kind == type::range) return {item::what::extent, std::move(value)};
  if (value.kind == type::integer) return {item::what::position, std::move(value)};
  if (is_number(value.kind)) refuse("an index is an integer", where);
  return {item::what::positions, as_array(c, value, "index", where)};
}

}  // namespace

cpp_value cpp_subscript(cpp_context& c, cpp_value x, const std::vector<expression>& items,
                        std::source_location where) {
  if (x.kind == type::mixed) refuse(x.kind.facts, where);
  if (x.kind.listed) refuse("an item of a list of numbers that a function is given", where);
  if (x.kind == type::array || x.kind == type::range) {
    std::vector<item> all;
    for (const auto& one : items) all.push_back(item_of(c, one, where));
    return array_part(c, as_array(c, x, "index", where), std::move(all), where).write();
  }
  const bool list = x.kind == type::list || x.kind == type::arrays || x.kind == type::sizes ||
                    x.kind == type::pair;
  if (!list || items.size() != 1)
    refuse(list ? "a list takes one index" : std::string(name_of(x.kind)) + " has no items", where);
  const auto at = cpp_expression(c, items[0]);
  return item_of_list(c, std::move(x), at, where);
}

}  // namespace troupe::shell
