// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

#include "troupe/apps/shell/session/session.hpp"
#include "troupe/apps/shell/terminal/line_reader.hpp"

namespace troupe::shell {

/// What the last word of an unfinished command could become. Nothing if an expression stands there.
std::optional<completions> complete_command(session& s, std::string_view line);

}  // namespace troupe::shell
