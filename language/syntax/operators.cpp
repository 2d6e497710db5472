// SPDX-License-Identifier: MIT
#include "troupe/language/syntax/operators.hpp"

#include <algorithm>
#include <iterator>

namespace troupe::language {

namespace {

constexpr operator_row operators[] = {
    {"or", binary_operator::either, 1},      {"and", binary_operator::both, 2},
    {"==", binary_operator::equal, 4},       {"!=", binary_operator::not_equal, 4},
    {"<", binary_operator::less, 4},         {"<=", binary_operator::less_equal, 4},
    {">", binary_operator::greater, 4},      {">=", binary_operator::greater_equal, 4},
    {"|", binary_operator::bitwise_or, 5},   {"^", binary_operator::bitwise_xor, 6},
    {"&", binary_operator::bitwise_and, 7},  {"<<", binary_operator::left_shift, 8},
    {">>", binary_operator::right_shift, 8}, {"+", binary_operator::add, 9},
    {"-", binary_operator::subtract, 9},     {"*", binary_operator::multiply, 10},
    {"/", binary_operator::divide, 10},      {"//", binary_operator::floor_divide, 10},
    {"%", binary_operator::remainder, 10},   {"@", binary_operator::matmul, 10},
};

}  // namespace

const operator_row* find_operator(const token& t) noexcept {
  const auto found = std::find_if(std::begin(operators), std::end(operators),
                                  [&](const operator_row& row) { return t.is(row.text); });
  return found == std::end(operators) ? nullptr : found;
}

std::string_view text_of(binary_operator op) noexcept {
  const auto found = std::find_if(std::begin(operators), std::end(operators),
                                  [&](const operator_row& row) { return row.op == op; });
  return found == std::end(operators) ? "**" : found->text;
}

std::optional<binary_operator> updating_operator(const token& t) noexcept {
  if (t.kind != token_kind::sign || t.text.size() < 2 || !t.text.ends_with('=')) return {};
  const auto sign = t.text.substr(0, t.text.size() - 1);
  if (sign == "**") return binary_operator::power;
  for (const auto& row : operators) {
    if (row.text == sign && row.strength > strength_of_comparison) return row.op;
  }
  return {};
}

}  // namespace troupe::language
