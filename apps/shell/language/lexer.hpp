// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "troupe/apps/shell/language/token.hpp"

namespace troupe::shell {

/// The words of an input, the last one of kind `end`. Newlines within parentheses and brackets are
/// left out, and so is what follows a `#`. The tokens refer to the input. Throws syntax_error.
std::vector<token> tokenise(std::string_view input);

/// What a text token stands for: without its quotes, with \n, \t, \\, \" and \' resolved.
std::string unquoted(const token& text);

/// Whether a name can be given to something: letters, digits and _, not a keyword, not an output's
/// number.
bool is_identifier(std::string_view text) noexcept;
bool is_keyword(std::string_view text) noexcept;

}  // namespace troupe::shell
