// SPDX-License-Identifier: MIT
#include "troupe/apps/shell/cpp_writer/cpp_value.hpp"

#include <charconv>
#include <cmath>

#include "troupe/tasks/error.hpp"

namespace troupe::shell {

namespace {

namespace strong = cpp_strength;

void do_as(cpp_value& out, const cpp_value& part) {
  out.draws = out.draws || part.draws;
  out.acts = out.acts || part.acts;
}

std::string real_literal(double x) {
  char text[64];
  std::string out(text, std::to_chars(text, text + sizeof text, x).ptr);
  if (const auto e = out.find("e+"); e != std::string::npos) out.erase(e + 1, 1);
  if (out.find_first_of(".e") == std::string::npos) out += ".0";
  return out;
}

std::string octal(char c) {
  return {'\\', static_cast<char>('0' + (c >> 6)), static_cast<char>('0' + (c >> 3 & 7)),
          static_cast<char>('0' + (c & 7))};
}

/// Whether people want parentheses that the compiler can do without.
bool confusing(int inner, int outer) noexcept {
  if (outer == strong::either) return inner == strong::both;
  if (outer == strong::equality || outer == strong::order)
    return inner == strong::equality || inner == strong::order;
  return outer >= strong::bit_or && outer <= strong::bit_and && inner < strong::atom &&
         inner != outer && inner != strong::sign;
}

}  // namespace

std::string within(const cpp_value& x, int strength) {
  return x.strength < strength ? "(" + x.text + ")" : x.text;
}

cpp_value cpp_call_of(std::string_view function, const std::vector<cpp_value>& arguments,
                      cpp_kind gives) {
  cpp_value out{.kind = std::move(gives), .text = std::string(function), .acts = true};
  out.text += '(';
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    do_as(out, arguments[i]);
    out.text += (i > 0 ? ", " : "") + arguments[i].text;
  }
  out.text += ')';
  return out;
}

cpp_value cpp_member_of(const cpp_value& x, std::string_view member, cpp_kind gives) {
  cpp_value out{.kind = std::move(gives), .text = within(x, strong::atom) + "."};
  out.text += member;
  do_as(out, x);
  out.where = x.where;
  return out;
}

cpp_value cpp_binary_of(std::string_view op, int strength, const cpp_value& x, const cpp_value& y,
                        cpp_kind gives) {
  const auto operand = [&](const cpp_value& z, int least) {
    return within(z, confusing(z.strength, strength) ? strong::atom : least);
  };
  cpp_value out{.kind = std::move(gives), .text = operand(x, strength)};
  out.text.append(" ").append(op).append(" ").append(operand(y, strength + 1));
  out.strength = strength;
  do_as(out, x);
  do_as(out, y);
  return out;
}

cpp_value cpp_number(scalar number) {
  cpp_value out{.kind = number_kind(number), .plain = true};
  if (number.type() == scalar::kind::truth) {
    out.text = number.real() != 0 ? "true" : "false";
  } else if (number.is_real()) {
    const double x = number.real();
    if (std::isfinite(x)) out.text = real_literal(x);
    else
      out.text = std::isnan(x) ? "std::numeric_limits<double>::quiet_NaN()"
                               : "std::numeric_limits<double>::infinity()";
  } else {
    const auto x = static_cast<std::int64_t>(number.bytes(int64));
    out.text = std::to_string(x);
    out.narrow = x <= INT32_MAX;
  }
  return out;
}

cpp_value cpp_text(const std::string& text) {
  cpp_value out{.kind = {.is = cpp_kind::type::text, .known_text = text}, .text = quoted(text)};
  out.plain = true;
  return out;
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '\n') out += "\\n";
    else if (c == '\t') out += "\\t";
    else if (c == '"' || c == '\\') out.append("\\").append(1, c);
    else if (c == 0x7f || (c >= 0 && c < 0x20)) out += octal(c);
    else out += c;
  }
  return out + '"';
}

std::string comma_list(const std::vector<std::string>& texts) {
  std::string out;
  for (const auto& one : texts) out += (out.empty() ? "" : ", ") + one;
  return out;
}

std::optional<std::int64_t> known_integer(const cpp_value& x) noexcept {
  const auto& c = x.kind.constant;
  if (x.kind == cpp_kind::type::real || !c || c->is_real()) return {};
  return static_cast<std::int64_t>(c->bytes(int64));
}

void refuse(const std::string& facts, std::source_location where) {
  throw error("no C++ can be written for this: " + facts, where);
}

}  // namespace troupe::shell
