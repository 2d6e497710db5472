// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace troupe::shell {

/// Returns the text with a to z in place of A to Z.
std::string in_lower_case(std::string_view text);

/// Returns "; did you mean sum?" for a misspelt word, if one of these is near, begins with it or
/// differs in case only; else "". For quit, exit and help, as other shells have them, names the
/// command.
std::string suggestion(std::string_view misspelt, const std::vector<std::string_view>& words);

}  // namespace troupe::shell
