// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/apps/shell/language/syntax.hpp"
#include "troupe/apps/shell/language/token_stream.hpp"

namespace troupe::shell {

/// Trees that are higher, and blocks within blocks, are refused: who walks them is as deep in
/// calls.
inline constexpr int deepest_nesting = 200;

/// The expression that comes next. Throws syntax_error.
expression parse_expression(token_stream& in);
/// `x`, or `x, y`: a list.
expression parse_expressions(token_stream& in);

}  // namespace troupe::shell
