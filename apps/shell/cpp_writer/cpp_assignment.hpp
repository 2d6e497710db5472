// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/apps/shell/cpp_writer/cpp_context.hpp"
#include "troupe/apps/shell/cpp_writer/cpp_function.hpp"
#include "troupe/apps/shell/language/syntax.hpp"

namespace troupe::shell {

/// `a = x`, `a += x`, `a, b = x`
void cpp_assignment(cpp_context& c, const assignment& s);
/// Gives one name a value that is there.
void cpp_assign(cpp_context& c, symbol name, cpp_value value, std::source_location where);
/// Defines a function, with a name.
void cpp_define(cpp_context& c, symbol name, const cpp_function_ptr& f);
/// Waits for what is in an expression.
void cpp_wait(cpp_context& c, const cpp_value& x);

}  // namespace troupe::shell
