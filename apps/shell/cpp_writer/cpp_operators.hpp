// SPDX-License-Identifier: MIT
#pragma once

#include <source_location>

#include "troupe/apps/shell/cpp_writer/cpp_context.hpp"
#include "troupe/apps/shell/language/syntax.hpp"

namespace troupe::shell {

/// `x op y`; not for `and` and `or`.
cpp_value cpp_operation(cpp_context& c, binary_operator op, cpp_value x, cpp_value y,
                        std::source_location where);
/// The same of two numbers, as Python computes.
cpp_value cpp_number_operation(cpp_context& c, binary_operator op, const cpp_value& x,
                               const cpp_value& y, std::source_location where);
/// Not for `not`.
cpp_value cpp_operation(cpp_context& c, unary_operator op, const cpp_value& x,
                        std::source_location where);

/// "+", and how strongly it holds together; an empty sign if C++ has no operator for it.
struct cpp_operator {
  const char* sign;
  int strength;
};
cpp_operator cpp_operator_of(binary_operator op) noexcept;

}  // namespace troupe::shell
