// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "troupe/apps/shell/session/session.hpp"
#include "troupe/apps/shell/terminal/line_reader.hpp"

namespace troupe::shell {

/// What the word before the cursor could become: a command or what it takes, a variable, a
/// function, an attribute, an argument's name or value within a call, or a file within quotes.
completions complete(session& s, std::string_view line, std::size_t cursor);

}  // namespace troupe::shell
