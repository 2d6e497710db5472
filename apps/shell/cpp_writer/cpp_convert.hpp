// SPDX-License-Identifier: MIT
#pragma once

#include <source_location>
#include <string>
#include <string_view>

#include "troupe/apps/shell/cpp_writer/cpp_context.hpp"

// What the language converts on its own has to be written out in C++. All of these refuse what they
// cannot convert; `what` names who wants it.

namespace troupe::shell {

/// Whether the language takes it for an array where it wants one.
bool is_array_like(const cpp_kind& k) noexcept;
cpp_value as_array(cpp_context& c, const cpp_value& x, std::string_view what,
                   std::source_location where);
/// An integer, of a number or of the only element of an array.
cpp_value as_integer(const cpp_value& x, std::string_view what, std::source_location where);
/// A double, of any number.
cpp_value as_real(const cpp_value& x, std::string_view what, std::source_location where);
/// A bool: whether it is true.
cpp_value as_condition(const cpp_value& x, std::string_view what, std::source_location where);
/// What a variable can hold: a list that is written there becomes an array or a vector.
cpp_value as_variable(cpp_context& c, cpp_value x, std::source_location where);
/// The value of an expression on its own: a list of numbers is an array.
cpp_value as_settled(cpp_context& c, cpp_value x);
/// "1, 2": the items of a list of integers that is written there, of int's size in C++ if
/// `narrowed`.
std::string integer_items(const cpp_value& x, std::string_view what, bool narrowed,
                          std::source_location where);
/// "range{1, 3}", "every"
std::string range_text(const cpp_value& x, std::source_location where);

}  // namespace troupe::shell
