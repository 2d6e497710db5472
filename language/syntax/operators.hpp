// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

#include "troupe/language/syntax/lexer.hpp"
#include "troupe/language/syntax/syntax_tree.hpp"

namespace troupe::language {

/// Operator between two operands. Those with more strength bind first; those with the same strength
/// associate from left to right.
struct operator_row {
  std::string_view text;
  binary_operator op;
  int strength;
};

inline constexpr int weakest_operator = 1;
inline constexpr int strength_of_not = 3;
inline constexpr int strength_of_comparison = 4;
inline constexpr int strength_of_sign = 11;

/// Returns the operator of a token, as in Python; null if it is none. `**` is not among them: it
/// associates from right to left.
const operator_row* find_operator(const token& t) noexcept;
/// Returns an operator as it is written: "+", "and".
std::string_view text_of(binary_operator op) noexcept;
/// Returns the operator in "+=" and the like.
std::optional<binary_operator> updating_operator(const token& t) noexcept;

}  // namespace troupe::language
