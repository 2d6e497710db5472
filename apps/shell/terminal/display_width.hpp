// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace troupe::shell {

/// How many columns of a terminal a UTF-8 text takes: two for wide characters, none for accents
/// that join the one before; one for each byte that is not UTF-8 and for what cannot be shown,
/// control characters too. The program must have called setlocale, or all that is not ASCII counts
/// one.
int display_width(std::string_view text) noexcept;

/// Rows of a terminal of that width between the first character of a text and what comes after the
/// last, with lines broken where they are full. Tabs go to every eighth column, control characters
/// take two.
int rows_down(std::string_view text, int width) noexcept;

}  // namespace troupe::shell
