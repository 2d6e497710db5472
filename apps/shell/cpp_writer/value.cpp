// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/cpp_writer/value.hpp"

#include "troupe/apps/shell/cpp_writer/writer.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "troupe/tasks/error.hpp"

namespace troupe::shell::cpp {

namespace {

// In the order of kind.
constexpr std::string_view names[] = {"nothing",         "the value of a loop",
                                      "true or false",   "an integer",
                                      "a real",          "an array",
                                      "a text",          "a dtype",
                                      "a device",        "a range",
                                      "a list",          "a list of arrays",
                                      "a list of sizes", "a pair of arrays",
                                      "a function"};
constexpr std::string_view types[] = {"",
                                      "",
                                      "bool",
                                      "std::int64_t",
                                      "double",
                                      "tensor",
                                      "std::string",
                                      "dtype",
                                      "device",
                                      "",
                                      "",
                                      "std::vector<tensor>",
                                      "shape",
                                      "std::pair<tensor, tensor>",
                                      ""};

std::string real_number(double x) {
  if (std::isnan(x)) return "std::numeric_limits<double>::quiet_NaN()";
  if (std::isinf(x))
    return std::string(x < 0 ? "-" : "") + "std::numeric_limits<double>::infinity()";
  char digits[40];
  const auto end = std::to_chars(digits, digits + sizeof digits, x).ptr;
  std::string text(digits, end);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

bool only_numbers(const value& x) {
  return is_number(x.is) || (x.is == kind::list && !x.items.empty() &&
                             std::all_of(x.items.begin(), x.items.end(), only_numbers));
}

std::string in_braces(const value& x) {
  if (x.is != kind::list) return x.text;
  std::string out;
  for (const auto& one : x.items) out += (out.empty() ? "" : ", ") + in_braces(one);
  return "{" + out + "}";
}

value with_items_of(value out, const value& x) {
  for (const auto& one : x.items) out.acts = out.acts || one.acts;
  return out;
}

}  // namespace

void refuse(const std::string& facts, std::source_location where) {
  throw error("no C++ can be written for this: " + facts, where);
}

std::string_view name_of(kind k) noexcept { return names[static_cast<std::size_t>(k)]; }
std::string_view type_of(kind k) noexcept { return types[static_cast<std::size_t>(k)]; }

bool is_number(kind k) noexcept {
  return k == kind::truth || k == kind::integer || k == kind::real;
}

value constant_of(scalar x) {
  value out{.constant = x};
  out.is = x.is_real()                         ? kind::real
           : x.type() == scalar::kind::integer ? kind::integer
                                               : kind::truth;
  out.text = x.is_real() ? real_number(x.real()) : to_string(x);
  if (out.text == "-9223372036854775808") out.text = "std::numeric_limits<std::int64_t>::min()";
  if (out.text.starts_with('-')) out.strength = of_sign;
  return out;
}

value operation(kind gives, const value& x, std::string_view sign, const value& y, int strength) {
  const int least = strength == of_comparison      ? of_shift
                    : strength > of_comparison     ? strength
                    : sign == "&&" || sign == "||" ? of_comparison
                                                   : of_shift;
  const int right = strength > of_comparison ? strength + 1 : least;
  return {.is = gives,
          .text = within(x, least) + " " + std::string(sign) + " " + within(y, right),
          .strength = strength,
          .acts = x.acts || y.acts};
}

value call_of(std::string_view name, const std::vector<value>& arguments, kind gives) {
  value out{.is = gives, .text = std::string(name) + "(" + comma_list(arguments) + ")"};
  for (const auto& one : arguments) out.acts = out.acts || one.acts;
  return out;
}

value member_of(const value& x, std::string_view member, kind gives) {
  return {.is = gives, .text = within(x, of_atom) + "." + std::string(member), .acts = x.acts};
}

std::string within(const value& x, int strength) {
  return x.strength < strength ? "(" + x.text + ")" : x.text;
}

std::string comma_list(const std::vector<value>& all) {
  std::string out;
  for (const auto& one : all) out += (out.empty() ? "" : ", ") + one.text;
  return out;
}

std::string typed(const value& x) {
  if (x.is == kind::integer && x.constant) return "std::int64_t{" + x.text + "}";
  if (x.is == kind::text && x.known_text) return "std::string(" + x.text + ")";
  return x.text;
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? "\\n" : std::string(1, c);
  }
  return out + '"';
}

std::string show(const value& x, std::source_location where) {
  const auto line = [](const std::string& text) { return "std::cout << " + text + " << '\\n';"; };
  switch (x.is) {
    case kind::real: return line("real_text(" + x.text + ")");
    case kind::truth:
      if (x.constant) return line(quoted(x.text));
      return line("(" + within(x, of_comparison) + " ? \"true\" : \"false\")");
    case kind::arrays: return line("list_text(" + x.text + ")");
    case kind::sizes: return line("sizes_text(" + x.text + ")");
    case kind::integer:
    case kind::array:
    case kind::text:
    case kind::dtype:
    case kind::device: return line(within(x, of_sum));
    case kind::list: refuse("a list of mixed things", where);
    case kind::function:
      if (!x.function->shown.empty()) return line(quoted(x.function->shown));
      refuse("showing such a function", where);
    default: refuse("showing " + std::string(name_of(x.is)), where);
  }
}

value as_array(const value& x, std::source_location where) {
  switch (x.is) {
    case kind::array: return x;
    case kind::truth:
    case kind::integer:
      return {.is = kind::array, .text = "full({}, " + x.text + ")", .acts = x.acts};
    case kind::real:
      return {.is = kind::array, .text = "full({}, " + x.text + ", float64)", .acts = x.acts};
    case kind::arrays: return call_of("stack", {x}, kind::array);
    case kind::range: {
      auto all = x.items;
      if (all[1].is == kind::none) refuse("a range without an end", where);
      if (all[0].is == kind::none) all[0] = constant_of(0);
      if (all[2].is == kind::none) all.pop_back();
      all.push_back({.text = "int64"});
      return call_of("arange", all, kind::array);
    }
    case kind::list: break;
    default: refuse(std::string(name_of(x.is)) + " where an array should be", where);
  }
  if (x.items.empty()) refuse("an empty list", where);
  if (only_numbers(x))
    return with_items_of({.is = kind::array, .text = "tensor" + in_braces(x)}, x);
  std::vector<value> parts;
  for (const auto& one : x.items) parts.push_back(as_array(one, where));
  return with_items_of({.is = kind::array, .text = "stack({" + comma_list(parts) + "})"}, x);
}

value as_integer(const value& x, std::source_location where) {
  if (x.is == kind::integer || x.is == kind::truth) return x;
  if (x.is != kind::array)
    refuse(std::string(name_of(x.is)) + " where an integer should be", where);
  return member_of(x, "item<std::int64_t>()", kind::integer);
}

value as_int(const value& x, std::source_location where) {
  auto out = as_integer(x, where);
  if (!out.constant) out = call_of("static_cast<int>", {out}, kind::integer);
  return out;
}

value as_condition(const value& x, std::source_location where) {
  switch (x.is) {
    case kind::truth: return x;
    case kind::integer:
    case kind::real: return operation(kind::truth, x, "!=", {.text = "0"}, of_comparison);
    case kind::text:
    case kind::none: refuse(std::string(name_of(x.is)) + " as a condition", where);
    default: return member_of(as_array(x, where), "item<bool>()", kind::truth);
  }
}

value settled(value x, std::source_location where) {
  if (x.listed) refuse("a list of numbers that a function is given, but for arithmetic", where);
  if (x.is != kind::list || x.items.empty()) return x;
  if (only_numbers(x)) return as_array(x, where);
  const auto is_array = [](const value& one) { return one.is == kind::array; };
  if (!std::all_of(x.items.begin(), x.items.end(), is_array)) return x;
  return with_items_of(
      {.is = kind::arrays, .text = "std::vector<tensor>{" + comma_list(x.items) + "}"}, x);
}

}  // namespace troupe::shell::cpp
