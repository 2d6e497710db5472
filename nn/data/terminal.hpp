// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>

namespace troupe::nn {

/// Returns true if output goes to a terminal: standard output or error.
bool is_terminal(const std::ostream& out) noexcept;

/// Returns the number of characters that fit on a line; 80 if unknown.
int terminal_width(const std::ostream& out) noexcept;

}  // namespace troupe::nn
