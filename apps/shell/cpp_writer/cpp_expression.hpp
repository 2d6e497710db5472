// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/apps/shell/cpp_writer/cpp_context.hpp"
#include "troupe/apps/shell/language/syntax.hpp"

namespace troupe::shell {

/// An expression as C++. Throws troupe::error, naming the place, for what has none.
cpp_value cpp_expression(cpp_context& c, const expression& e);
/// Several that are operands of one, whose random numbers are drawn in this order.
std::vector<cpp_value> cpp_operands(cpp_context& c, const std::vector<const expression*>& all);
/// The value of an expression on its own: a list of numbers is an array.
cpp_value cpp_settled(cpp_context& c, const expression& e);
/// A bool: whether an expression is true. `what` names who asks.
cpp_value cpp_condition(cpp_context& c, const expression& e, std::string_view what);

/// `x.name`; nothing if an array has no such attribute.
std::optional<cpp_value> cpp_attribute(cpp_context& c, const cpp_value& x, const std::string& name,
                                       std::source_location where);
/// `x[items]`
cpp_value cpp_subscript(cpp_context& c, cpp_value x, const std::vector<expression>& items,
                        std::source_location where);

}  // namespace troupe::shell
