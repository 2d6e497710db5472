// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <cmath>

#include "troupe/apps/shell/cpp_writer/writer.hpp"
#include "troupe/language/evaluator/evaluator.hpp"
#include "troupe/tasks/error.hpp"

namespace troupe::shell::cpp {

namespace {

struct kind_row {
  const char *name, *type;
};

// In the order of kind.
constexpr kind_row kinds[] = {{"nothing", ""},
                              {"the value of a loop", ""},
                              {"true or false", "bool"},
                              {"an integer", "std::int64_t"},
                              {"a real", "double"},
                              {"an array", "tensor"},
                              {"a text", "std::string"},
                              {"a dtype", "dtype"},
                              {"a device", "device"},
                              {"a range", ""},
                              {"a list of mixed things", ""},
                              {"a list of arrays", "std::vector<tensor>"},
                              {"a list of sizes", "shape"},
                              {"a function", ""}};

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

}  // namespace

void refuse(const std::string& facts, std::source_location where) {
  throw error("no C++ can be written for this: " + facts, where);
}

std::string name_of(kind k) { return kinds[static_cast<std::size_t>(k)].name; }
std::string type_of(kind k) { return kinds[static_cast<std::size_t>(k)].type; }

bool is_number(kind k) noexcept {
  return k == kind::truth || k == kind::integer || k == kind::real;
}

value constant_of(scalar x, std::source_location where) {
  if (x.is_complex() || x.type() == scalar::kind::natural)
    refuse("the number " + to_string(x), where);
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
          .strength = strength};
}

value call_of(std::string_view name, const std::vector<value>& arguments, kind gives) {
  return {.is = gives, .text = std::string(name) + "(" + comma_list(arguments) + ")"};
}

value member_of(const value& x, std::string_view member, kind gives) {
  return {.is = gives, .text = within(x, of_atom) + "." + std::string(member)};
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
    case kind::integer:
    case kind::array:
    case kind::text:
    case kind::dtype:
    case kind::device: return line(within(x, of_sum));
    default: refuse("showing " + name_of(x.is), where);
  }
}

value as_array(const value& x, std::source_location where) {
  switch (x.is) {
    case kind::array: return x;
    case kind::truth:
    case kind::integer: return {.is = kind::array, .text = "full({}, " + x.text + ")"};
    case kind::real: return {.is = kind::array, .text = "full({}, " + x.text + ", float64)"};
    case kind::list: break;
    default: refuse(name_of(x.is) + " where an array should be", where);
  }
  if (x.items.empty()) refuse("an empty list", where);
  if (only_numbers(x)) return {.is = kind::array, .text = "tensor" + in_braces(x)};
  std::vector<value> parts;
  for (const auto& one : x.items) parts.push_back(as_array(one, where));
  return {.is = kind::array, .text = "stack({" + comma_list(parts) + "})"};
}

value as_integer(const value& x, std::source_location where) {
  if (x.is == kind::integer || x.is == kind::truth) return x;
  if (x.is != kind::array) refuse(name_of(x.is) + " where an integer should be", where);
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
    default: return member_of(as_array(x, where), "item<bool>()", kind::truth);
  }
}

value settled(value x, std::source_location where) {
  if (x.is != kind::list || x.items.empty()) return x;
  if (only_numbers(x)) return as_array(x, where);
  const auto is_array = [](const value& one) { return one.is == kind::array; };
  if (!std::all_of(x.items.begin(), x.items.end(), is_array)) return x;
  return {.is = kind::arrays, .text = "std::vector<tensor>{" + comma_list(x.items) + "}"};
}

namespace {

// In the order of binary_operator.
constexpr std::string_view signs[] = {"+",  "-", "*",  "/", "//", "%", "**", "@",  "==", "!=", "<",
                                      "<=", ">", ">=", "&", "|",  "^", "<<", ">>", "&&", "||"};

std::string_view sign_of(binary_operator op) noexcept {
  return signs[static_cast<std::size_t>(op)];
}

int strength_of(binary_operator op) noexcept {
  return op <= binary_operator::subtract        ? of_sum
         : op <= binary_operator::matmul        ? of_product
         : op <= binary_operator::greater_equal ? of_comparison
                                                : of_choice;
}

/// Returns the function in place of an operator that arrays lack, or "".
std::string_view function_of(binary_operator op) noexcept {
  return op == binary_operator::floor_divide ? "floor_divide"
         : op == binary_operator::power      ? "power"
         : op == binary_operator::matmul     ? "matmul"
                                             : "";
}

bool is_logical(binary_operator op) noexcept {
  return op == binary_operator::both || op == binary_operator::either;
}

value as_real(const value& x) {
  if (x.is == kind::real) return x;
  if (x.constant) return constant_of(x.constant->real());
  return call_of("static_cast<double>", {x}, kind::real);
}

}  // namespace

value writer::write(const unary& x, const expression& e) {
  const bool negation = x.op == unary_operator::negation;
  auto y = negation ? write_condition(*x.x) : write(*x.x);
  if (y.constant)
    return constant_of(language::compute(x.op, *y.constant, e.call_site), e.call_site);
  if (!is_number(y.is)) y = as_array(y, e.call_site);
  if (!negation && y.is == kind::truth) refuse("arithmetic of true and false", e.call_site);
  if (x.op == unary_operator::positive) return y;
  const std::string sign = negation ? "!" : x.op == unary_operator::invert ? "~" : "-";
  return {.is = y.is, .text = sign + within(y, of_atom), .strength = of_sign};
}

value writer::write(const binary& x, const expression& e) {
  const expression* operands[] = {x.x.get(), x.y.get()};
  auto both = write_all(operands);
  return compute(x.op, std::move(both[0]), std::move(both[1]), e.call_site);
}

/// Writes an operand of `if`, `not`, or of `and` and `or` in these: C++ wants a bool.
value writer::write_condition(const expression& e) {
  const auto* x = std::get_if<binary>(&e.node);
  if (!x || !is_logical(x->op)) return as_condition(write(e), e.call_site);
  const auto first = write_condition(*x->x);
  return operation(kind::truth, first, sign_of(x->op), write_condition(*x->y), of_choice);
}

value writer::write(const conditional& x, const expression& e) {
  const auto condition = write_condition(*x.condition);
  const auto lines = frame_->lines.size();
  auto yes = settled(write(*x.when_true), e.call_site);
  auto no = settled(write(*x.when_false), e.call_site);
  if (frame_->lines.size() > lines) refuse("a choice between what takes statements", e.call_site);
  if (yes.is != no.is)
    refuse(name_of(yes.is) + " or " + name_of(no.is) + ", as the program runs", e.call_site);
  if (!is_number(yes.is)) yes = as_array(yes, e.call_site), no = as_array(no, e.call_site);
  const auto part = [](const value& one) { return within(one, of_comparison); };
  return {.is = yes.is,
          .text = part(condition) + " ? " + part(yes) + " : " + part(no),
          .strength = of_choice};
}

value writer::compute(binary_operator op, value x, value y, std::source_location where) {
  if (is_logical(op)) {  // the language gives one of the operands, C++ a bool
    if (x.is != kind::truth || y.is != kind::truth)
      refuse("and, or of what is not true or false", where);
    return operation(kind::truth, x, sign_of(op), y, of_choice);
  }
  if (is_number(x.is) && is_number(y.is)) return compute_numbers(op, x, y, where);
  const bool product = op == binary_operator::matmul;
  if (product || !is_number(x.is)) x = as_array(x, where);
  if (product || !is_number(y.is)) y = as_array(y, where);
  if (const auto name = function_of(op); !name.empty()) return call_of(name, {x, y}, kind::array);
  return operation(kind::array, x, sign_of(op), y, strength_of(op));
}

/// Writes arithmetic as Python has it; that of constants is done here.
value writer::compute_numbers(binary_operator op, value x, value y, std::source_location where) {
  if (x.constant && y.constant)
    return constant_of(language::compute(op, *x.constant, *y.constant, where), where);
  if (strength_of(op) == of_comparison)
    return operation(kind::truth, x, sign_of(op), y, of_comparison);
  if (x.is == kind::truth || y.is == kind::truth) refuse("arithmetic of true and false", where);
  const bool real = x.is == kind::real || y.is == kind::real;
  const auto gives = real ? kind::real : kind::integer;
  switch (op) {
    case binary_operator::divide:
      return operation(kind::real, real ? x : as_real(x), "/", y, of_product);
    case binary_operator::remainder:  // it has the sign of what is divided by, written three times
      if (real) refuse("% of a real", where);
      if (!y.constant && !y.variable) refuse("% by what is no number or variable", where);
      x = operation(gives, operation(gives, x, "%", y, of_product), "+", y, of_sum);
      return operation(gives, x, "%", y, of_product);
    case binary_operator::floor_divide:
    case binary_operator::power:
    case binary_operator::left_shift:
    case binary_operator::right_shift: refuse(std::string(sign_of(op)) + " of numbers", where);
    default: return operation(gives, x, sign_of(op), y, strength_of(op));
  }
}

}  // namespace troupe::shell::cpp
