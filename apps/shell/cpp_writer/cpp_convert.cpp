// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/cpp_writer/cpp_convert.hpp"

#include <algorithm>

namespace troupe::shell {

namespace {

using type = cpp_kind::type;

[[noreturn]] void unsuitable(std::string_view what, std::string_view wanted, const cpp_value& x,
                             std::source_location where) {
  if (x.kind == type::mixed) refuse(x.kind.facts, where);
  refuse(
      std::string(what) + " wants " + std::string(wanted) + ", not " + std::string(name_of(x.kind)),
      where);
}

bool only_numbers(const cpp_value& x) {
  return std::all_of(x.items.begin(), x.items.end(), [](const cpp_value& one) {
    return one.kind == type::list ? only_numbers(one) : is_number(one.kind);
  });
}

bool has_number(const cpp_value& x) {
  return std::any_of(x.items.begin(), x.items.end(), [](const cpp_value& one) {
    return one.kind == type::list ? has_number(one) : is_number(one.kind);
  });
}

/// "{1, 2}", with how deep that is.
std::string braces(const cpp_value& x, int& depth) {
  std::vector<std::string> texts;
  int below = 0;
  for (const auto& one : x.items)
    texts.push_back(one.kind == type::list ? braces(one, below) : one.text);
  depth = below + 1;
  return "{" + comma_list(texts) + "}";
}

/// An array without elements: nested lists without a number.
std::string empty_array(const cpp_value& x) {
  std::vector<std::string> sizes;
  for (const auto* level = &x;; level = &level->items[0]) {
    sizes.push_back(std::to_string(level->items.size()));
    if (level->items.empty()) break;
  }
  return "zeros({" + comma_list(sizes) + "}, float64)";
}

cpp_value array_of_list(cpp_context& c, const cpp_value& x, std::string_view what,
                        std::source_location where) {
  cpp_value out{.kind = array_kind(), .draws = x.draws, .acts = x.acts, .where = where};
  if (only_numbers(x)) {
    out.kind.rank = 0;
    out.text = has_number(x) ? "tensor" + braces(x, out.kind.rank) : empty_array(x);
    return out;
  }
  std::vector<std::string> parts;
  for (const auto& one : x.items) parts.push_back(as_array(c, one, what, where).text);
  out.text = "stack({" + comma_list(parts) + "})";
  out.acts = true;
  return out;
}

cpp_value array_of_range(const cpp_value& x, std::string_view what, std::source_location where) {
  if (!x.ends || !x.ends->stop) unsuitable(what, "an array", x, where);
  const auto& [start, stop, step] = *x.ends;
  std::vector<cpp_value> ends;
  if (step || (start && known_integer(*start) != 0)) ends.push_back(start ? *start : cpp_number(0));
  ends.push_back(*stop);
  if (step) ends.push_back(*step);
  auto out = cpp_call_of("arange", ends, array_kind());
  out.kind.rank = 1;
  return out;
}

cpp_value array_of_number(const cpp_value& x) {
  cpp_value out{.kind = array_kind(), .draws = x.draws, .acts = x.acts, .where = x.where};
  out.kind.rank = 0;
  out.text = "full({}, " + x.text + (x.kind == type::real ? ", float64)" : ")");
  return out;
}

}  // namespace

bool is_array_like(const cpp_kind& k) noexcept {
  return is_number(k) || k == type::array || k == type::list || k == type::range ||
         k == type::arrays || k == type::sizes || k == type::pair;
}

cpp_value as_array(cpp_context& c, const cpp_value& x, std::string_view what,
                   std::source_location where) {
  if (x.kind == type::array) return x;
  if (is_number(x.kind)) return array_of_number(x);
  if (x.kind == type::list) return array_of_list(c, x, what, where);
  if (x.kind == type::range) return array_of_range(x, what, where);
  if (x.kind == type::arrays) return cpp_call_of("stack", {x}, array_kind());
  unsuitable(what, "an array", x, where);
}

cpp_value as_integer(const cpp_value& x, std::string_view what, std::source_location where) {
  if (x.kind == type::integer || x.kind == type::truth) return x;
  if (x.kind == type::array) return cpp_member_of(x, "item<std::int64_t>()", {.is = type::integer});
  unsuitable(what, "an integer", x, where);
}

cpp_value as_real(const cpp_value& x, std::string_view what, std::source_location where) {
  if (is_number(x.kind)) return x;
  if (x.kind == type::array) return cpp_member_of(x, "item<double>()", {.is = type::real});
  unsuitable(what, "a number", x, where);
}

cpp_value as_condition(const cpp_value& x, std::string_view what, std::source_location where) {
  if (x.kind == type::truth) return x;
  if (is_number(x.kind))
    return cpp_binary_of("!=", cpp_strength::equality, x, cpp_number(0), {.is = type::truth});
  if (x.kind == type::array) return cpp_member_of(x, "item<bool>()", {.is = type::truth});
  unsuitable(what, "true or false", x, where);
}

cpp_value as_variable(cpp_context& c, cpp_value x, std::source_location where) {
  if (x.kind == type::mixed) refuse(x.kind.facts, where);
  if (x.kind == type::none) refuse("nothing is given a name", where);
  if (x.kind == type::range) {
    x.text = range_text(x, where);
    return x;
  }
  if (x.kind != type::list) return x;
  cpp_value out{.draws = x.draws, .acts = x.acts, .where = x.where};
  const bool arrays = !x.items.empty() && std::all_of(x.items.begin(), x.items.end(), [](auto& i) {
    return i.kind == type::array;
  });
  if (arrays) {
    std::vector<std::string> texts;
    for (const auto& one : x.items) texts.push_back(one.text);
    out.kind = {.is = type::arrays, .count = static_cast<int>(x.items.size())};
    out.text = "std::vector<tensor>{" + comma_list(texts) + "}";
    return out;
  }
  if (x.items.empty() || !only_numbers(x))
    refuse("a list that is neither of arrays nor of numbers", where);
  out = array_of_list(c, x, "the list", where);
  out.kind.listed = true;
  return out;
}

cpp_value as_settled(cpp_context& c, cpp_value x) {
  if (x.kind != type::list || x.items.empty() || !only_numbers(x)) return x;
  auto out = array_of_list(c, x, "the list", x.where);
  out.where = x.where;
  return out;
}

std::string integer_items(const cpp_value& x, std::string_view what, bool narrowed,
                          std::source_location where) {
  std::vector<std::string> texts;
  for (const auto& one : x.items) {
    const auto n = as_integer(one, what, where);
    texts.push_back(narrowed && !n.narrow ? "static_cast<int>(" + n.text + ")" : n.text);
  }
  return comma_list(texts);
}

std::string range_text(const cpp_value& x, std::source_location where) {
  if (!x.ends) return x.text;
  const auto& [start, stop, step] = *x.ends;
  const auto end = [&](const cpp_value& e) { return as_integer(e, "the range", where).text; };
  if (!start && !stop && !step) return "every";
  if (start && stop) {
    const auto both = "range{" + end(*start) + ", " + end(*stop);
    return both + (step ? ", " + end(*step) + "}" : "}");
  }
  std::vector<std::string> parts;
  if (start) parts.push_back(".start = " + end(*start));
  if (stop) parts.push_back(".stop = " + end(*stop));
  if (step) parts.push_back(".step = " + end(*step));
  return "range{" + comma_list(parts) + "}";
}

}  // namespace troupe::shell
