// SPDX-License-Identifier: MIT
#include <algorithm>

#include "troupe/apps/shell/cpp_writer/cpp_call.hpp"
#include "troupe/apps/shell/cpp_writer/cpp_convert.hpp"

namespace troupe::shell {

namespace {

using type = cpp_kind::type;

cpp_value braced(const std::string& items, const cpp_value& of) {
  return {.text = "{" + items + "}", .draws = of.draws, .acts = of.acts};
}

}  // namespace

cpp_arguments::cpp_arguments(cpp_context& c, const word& of, std::vector<cpp_value> given,
                             std::vector<cpp_named_value> named, std::source_location where)
    : c_(c), of_(of), where_(where) {
  bind(std::move(given), std::move(named));
  put_in_order();
}

/// Whether it is one number, not several.
bool cpp_arguments::is_single(const cpp_value& x) const {
  if (x.kind != type::array) return is_number(x.kind);
  if (x.kind.rank < 0 && !x.kind.listed) refuse("its sizes are an array: write them out");
  return x.kind.rank == 0;
}

void cpp_arguments::bind(std::vector<cpp_value> given, std::vector<cpp_named_value> named) {
  const auto& all = of_.parameters;
  values_.resize(all.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < all.size() && next < given.size(); ++i) {
    const auto first = next++;
    const bool in_a_row = all[i].kind == parameter_kind::sizes;
    if ((!in_a_row && all[i].kind != parameter_kind::shape) || !is_single(given[first])) {
      values_[i] = std::move(given[first]);
      continue;
    }
    cpp_value sizes{.kind = {.is = type::list}};
    sizes.items.push_back(std::move(given[first]));
    while (in_a_row && next < given.size() && is_single(given[next]))
      sizes.items.push_back(std::move(given[next++]));
    for (const auto& one : sizes.items) sizes.draws = sizes.draws || one.draws;
    values_[i] = std::move(sizes);
  }
  if (next < given.size()) refuse("has too many arguments");
  for (auto& one : named) {
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const parameter& p) { return p.name == one.name; });
    if (found == all.end()) refuse("has no argument " + std::string(one.name));
    values_[static_cast<std::size_t>(found - all.begin())] = std::move(one.value);
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (values_[i] && values_[i]->kind == type::none) values_[i].reset();
    if (values_[i] && values_[i]->kind == type::mixed)
      troupe::shell::refuse(values_[i]->kind.facts, where_);
    if (all[i].needed() && !has(i)) refuse(naming(i) + " is missing");
  }
}

void cpp_arguments::put_in_order() {
  std::vector<cpp_value> all;
  for (auto& one : values_)
    if (one) all.push_back(*one);
  c_.put_in_order(all);
  std::size_t next = 0;
  for (auto& one : values_)
    if (one) one = all[next++];
}

bool cpp_arguments::draws() const noexcept {
  return std::any_of(values_.begin(), values_.end(), [](auto& v) { return v && v->draws; });
}

void cpp_arguments::refuse(const std::string& facts) const {
  troupe::shell::refuse(std::string(of_.name) + ": " + facts, where_);
}

std::string cpp_arguments::naming(std::size_t i) const {
  return "argument " + std::string(of_.parameters[i].name);
}

const std::string& cpp_arguments::known_text(std::size_t i) const {
  const auto& known = (*this)[i].kind.known_text;
  if (!known) refuse(naming(i) + " is known only when the program runs");
  return *known;
}

std::vector<cpp_value> cpp_arguments::texts(std::size_t from, std::size_t to,
                                            std::size_t least) const {
  while (to > least && !has(to - 1)) --to;
  std::vector<cpp_value> all;
  for (auto i = from; i < to; ++i) all.push_back(text(i));
  return all;
}

cpp_value cpp_arguments::text(std::size_t i) const {
  const auto& p = of_.parameters[i];
  const auto what = std::string(of_.name) + ": " + std::string(p.name);
  if (!has(i)) {
    const bool none = p.fallback == "none" || p.fallback.empty();
    return {.text = none ? "{}" : std::string(p.fallback)};
  }
  const auto& x = (*this)[i];
  switch (p.kind) {
    case parameter_kind::array: return as_array(c_, x, what, where_);
    case parameter_kind::operand: return is_number(x.kind) ? x : as_array(c_, x, what, where_);
    case parameter_kind::arrays: return arrays(x);
    case parameter_kind::number:
      if (!is_number(x.kind)) refuse("whether " + naming(i) + " is an integer is not known");
      return x;
    case parameter_kind::flag: return as_condition(x, what, where_);
    case parameter_kind::integer:
    case parameter_kind::integers:
    case parameter_kind::axis: return as_integer(x, what, where_);
    case parameter_kind::axes: return axes(x);
    case parameter_kind::sizes:
    case parameter_kind::shape: return sizes(x);
    case parameter_kind::pair: return pair(x);
    case parameter_kind::dtype:
    case parameter_kind::device:
    case parameter_kind::text:
    case parameter_kind::list:
    case parameter_kind::any:
    case parameter_kind::function: break;
  }
  const auto wanted = p.kind == parameter_kind::dtype    ? type::dtype
                      : p.kind == parameter_kind::device ? type::device
                      : p.kind == parameter_kind::text   ? type::text
                                                         : type::function;
  if (x.kind != wanted) refuse(what + " wants " + std::string(kind_name(p.kind)));
  return x;
}

cpp_value cpp_arguments::sizes(const cpp_value& x) const {
  const auto what = std::string(of_.name) + ": sizes";
  if (x.kind == type::sizes) return x;
  if (x.kind == type::list) {
    if (x.items.empty()) return {.text = of_.name == "reshape" ? "shape{}" : "{}"};
    return braced(integer_items(x, what, false, where_), x);
  }
  if (x.kind == type::array && (x.kind.rank == 1 || x.kind.listed))
    return cpp_call_of("shape", {cpp_member_of(x, "to_vector<std::int64_t>()", {})}, {});
  refuse("its sizes are no list of integers");
}

cpp_value cpp_arguments::axes(const cpp_value& x) const {
  const auto what = std::string(of_.name) + ": axes";
  if (x.kind == type::list) {
    if (x.items.empty()) return {.text = "axes(std::span<const int>())"};
    return braced(integer_items(x, what, true, where_), x);
  }
  if (x.kind == type::array && x.kind.rank != 0) refuse("its axes are an array: write them out");
  return as_integer(x, what, where_);
}

cpp_value cpp_arguments::pair(const cpp_value& x) const {
  const auto what = std::string(of_.name) + ": height and width";
  if (x.kind == type::list && (x.items.size() == 1 || x.items.size() == 2)) {
    const auto items = integer_items(x, what, false, where_);
    return x.items.size() == 1 ? cpp_value{.text = items} : braced(items, x);
  }
  return as_integer(x, what, where_);
}

cpp_value cpp_arguments::arrays(const cpp_value& x) const {
  if (x.kind == type::arrays) return x;
  if (x.kind != type::list) refuse("wants a list of arrays");
  std::vector<std::string> texts;
  for (const auto& one : x.items)
    texts.push_back(as_array(c_, one, std::string(of_.name), where_).text);
  return braced(comma_list(texts), x);
}

}  // namespace troupe::shell
