// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "troupe/apps/shell/language/token.hpp"

namespace troupe::shell {

/// Splits an input into tokens, the last one of kind `end`. Leaves out newlines within parentheses
/// and brackets, and comments. The tokens refer to the input. Throws syntax_error.
std::vector<token> tokenise(std::string_view input);

/// Returns the value of a text token: without its quotes, with \n, \t, \\, \" and \' resolved.
std::string unquoted(const token& text);

/// Returns true if a text can be a variable's name: letters, digits and _, not a keyword, not an
/// output's number.
bool is_identifier(std::string_view text) noexcept;
bool is_keyword(std::string_view text) noexcept;

}  // namespace troupe::shell
