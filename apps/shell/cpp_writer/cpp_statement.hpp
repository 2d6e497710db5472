// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/apps/shell/cpp_writer/cpp_context.hpp"
#include "troupe/apps/shell/language/syntax.hpp"

namespace troupe::shell {

/// Where statements stand.
enum class cpp_place : std::uint8_t {
  outermost,  ///< their values are shown, as outputs of the input of that number
  inner,
  last  ///< at the end of a function: the value of the last one is what it gives
};

/// Appends the C++ of statements to the context's block.
void cpp_statements(cpp_context& c, const block& statements, cpp_place place, unsigned input = 0);
/// The same in a block of their own.
cpp_block cpp_inner_block(cpp_context& c, const block& statements, cpp_place place);
void cpp_repetition(cpp_context& c, const repetition& s);
void cpp_iteration(cpp_context& c, const iteration& s);

/// What a function gives at its end.
void cpp_result(cpp_context& c, cpp_value value, std::source_location where);

/// The statement that prints a value as the shell shows it, with its newline.
std::string cpp_show(cpp_context& c, const cpp_value& x, std::source_location where);

}  // namespace troupe::shell
