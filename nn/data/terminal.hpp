// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>

namespace troupe::nn {

/// Whether what is written there is seen at once by a person: standard output or error, on a
/// terminal.
bool is_terminal(const std::ostream& out) noexcept;

/// How many characters fit on a line there; 80 where that cannot be told.
int terminal_width(const std::ostream& out) noexcept;

}  // namespace troupe::nn
