// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "troupe/apps/shell/session/session.hpp"
#include "troupe/apps/shell/terminal/line_reader.hpp"

namespace troupe::shell {

/// Returns the completions of the word before the cursor: a command or its arguments, a variable, a
/// function, an attribute, an argument's name or value within a call, or a file within quotes.
completions complete(session& s, std::string_view line, std::size_t cursor);

}  // namespace troupe::shell
