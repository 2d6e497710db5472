// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/apps/shell/language/syntax.hpp"
#include "troupe/apps/shell/language/token_stream.hpp"

namespace troupe::shell {

/// Limit for the height of trees and the depth of blocks: walks over them recurse as deeply.
inline constexpr int deepest_nesting = 200;

/// Parses the next expression. Throws syntax_error.
expression parse_expression(token_stream& in);
/// Parses `x`, or `x, y`: a list.
expression parse_expressions(token_stream& in);

}  // namespace troupe::shell
